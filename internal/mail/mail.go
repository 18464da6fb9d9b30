// Package mail sends the letters that wait in storage, by SMTP.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"time"

	smtp "github.com/wneessen/go-mail"

	"github.com/linesofaction/loa/internal/account"
)

// Outbox is what a Sender needs of storage.
type Outbox interface {
	// TakeLetter returns a letter that is due at now, false for none. It is due again at an instant that follows from
	// how often it was taken, this time too.
	TakeLetter(ctx context.Context, now time.Time, again func(tries int) time.Time) (account.Letter, bool, error)
	// DropLetter removes a letter that was sent, or given up.
	DropLetter(ctx context.Context, id int64) error
}

// Server is where letters are handed in, and from whom they are.
type Server struct {
	host     string
	port     int
	tls      bool // from the first byte, as smtps has it
	name     string
	password string
	from     string
}

// The usual ports: of submission with STARTTLS, and with TLS from the first byte.
const (
	portSTARTTLS = 587
	portTLS      = 465
)

// Parse reads the address of a server, such as smtp://name:password@mail.example.org:587 or
// smtps://mail.example.org, and of the sender.
func Parse(address, from string) (Server, error) {
	var s Server
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Path != "" || at.RawQuery != "" {
		return s, fmt.Errorf("mail server %q, expected smtp://[name:password@]host[:port] or smtps://…", redacted(address))
	}
	switch s.host, s.port = at.Hostname(), portSTARTTLS; at.Scheme {
	case "smtp":
	case "smtps":
		s.tls, s.port = true, portTLS
	default:
		return s, fmt.Errorf("mail server of kind %q, expected smtp or smtps", at.Scheme)
	}
	if port := at.Port(); port != "" {
		if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
			return s, fmt.Errorf("mail server with port %q, expected 1 to 65535", port)
		}
	}
	s.name = at.User.Username()
	s.password, _ = at.User.Password()
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return s, fmt.Errorf("sender %q, expected an address such as \"Lines of Action <loa@example.org>\"", from)
	}
	s.from = sender.String()
	return s, nil
}

// redacted hides a password in an address that is to be repeated.
func redacted(address string) string {
	if at, err := url.Parse(address); err == nil {
		return at.Redacted()
	}
	return "…"
}

// sendWithin bounds the sending of one letter.
const sendWithin = 30 * time.Second

// Send hands one letter in. A name and a password are only ever sent over TLS, or to this very machine.
func (s Server) Send(ctx context.Context, letter account.Letter) error {
	message := smtp.NewMsg()
	if err := message.From(s.from); err != nil {
		return fmt.Errorf("sender %q: %w", s.from, err)
	}
	if err := message.To(letter.To); err != nil {
		return fmt.Errorf("recipient: %w", err)
	}
	message.Subject(letter.Subject)
	message.SetDate()
	message.SetMessageID()
	message.SetBodyString(smtp.TypeTextPlain, letter.Text)
	options := []smtp.Option{smtp.WithPort(s.port), smtp.WithTimeout(sendWithin)}
	switch ip := net.ParseIP(s.host); {
	case s.tls:
		options = append(options, smtp.WithSSL())
	case s.host == "localhost" || ip != nil && ip.IsLoopback():
		options = append(options, smtp.WithTLSPolicy(smtp.TLSOpportunistic))
	case s.name != "":
		options = append(options, smtp.WithTLSPolicy(smtp.TLSMandatory))
	default:
		options = append(options, smtp.WithTLSPolicy(smtp.TLSOpportunistic))
	}
	if s.name != "" {
		options = append(options, smtp.WithSMTPAuth(smtp.SMTPAuthAutoDiscover), smtp.WithUsername(s.name), smtp.WithPassword(s.password))
	}
	client, err := smtp.NewClient(s.host, options...)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.host, err)
	}
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, message); err != nil {
		return fmt.Errorf("mail server %s: %w", s.host, err)
	}
	return nil
}

// look is how often the outbox is looked at.
const look = 2 * time.Second

// mostTries is how often a letter is tried: with pauses that double from a minute, for about a day.
const mostTries = 11

// pause returns how long a letter waits after a number of tries.
func pause(tries int) time.Duration { return time.Minute << min(tries, mostTries) }

// Sender sends what waits in an outbox.
type Sender struct {
	Outbox Outbox
	Send   func(ctx context.Context, letter account.Letter) error // Server.Send
	Now    func() time.Time
}

// Run sends letters until ctx is done. fault is told what fails; the letter is tried again later.
func (s Sender) Run(ctx context.Context, fault func(error)) {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		if err := s.Flush(ctx); err != nil && ctx.Err() == nil {
			fault(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Flush sends all letters that are due, and returns what failed.
func (s Sender) Flush(ctx context.Context) error {
	var faults []error
	for {
		now := s.Now()
		letter, ok, err := s.Outbox.TakeLetter(ctx, now, func(tries int) time.Time { return now.Add(pause(tries)) })
		if err != nil || !ok {
			return errors.Join(append(faults, err)...)
		}
		if err = s.Send(ctx, letter); err != nil {
			err = fmt.Errorf("letter %d, try %d of %d: %w", letter.ID, letter.Tries, mostTries, err)
			faults = append(faults, err)
		}
		if err == nil || letter.Tries >= mostTries {
			if err := s.Outbox.DropLetter(ctx, letter.ID); err != nil {
				return errors.Join(append(faults, err)...)
			}
		}
	}
}
