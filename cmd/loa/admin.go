package main

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/bus"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
	"github.com/linesofaction/loa/internal/web"
)

// adminCommand is what the host can do to people and games. It works on the database while the server runs, which
// heeds it within a second.
type adminCommand struct {
	place

	Find    adminFindCommand    `cmd:"" help:"Find people by the beginning of a name, a guest's number or an id."`
	Reports adminReportsCommand `cmd:"" help:"Show what people report, with its context."`
	Answer  adminAnswerCommand  `cmd:"" help:"Close a report."`
	Log     adminLogCommand     `cmd:"" help:"Show what moderators and the host did, and why."`
	Warn    adminWarnCommand    `cmd:"" help:"Write to somebody, who reads it at the next visit."`
	Mute    adminMuteCommand    `cmd:"" help:"Keep somebody from talking."`
	Unmute  adminUnmuteCommand  `cmd:"" help:"End a mute."`
	Bar     adminBarCommand     `cmd:"" help:"Keep somebody from new games and from talking."`
	Unbar   adminUnbarCommand   `cmd:"" help:"End a bar."`
	Close   adminCloseCommand   `cmd:"" help:"Delete an account; games stay under an anonymous name."`
	Appoint adminAppointCommand `cmd:"" help:"Make a member a moderator."`
	Dismiss adminDismissCommand `cmd:"" help:"Make a moderator a member like others."`
	Recover adminRecoverCommand `cmd:"" help:"Make a link by which a member who has lost the password sets a new one."`
	Backup  adminBackupCommand  `cmd:"" help:"Write a backup while the club is played, and compare every row."`
	Restore adminRestoreCommand `cmd:"" help:"Bring a backup into an empty place."`
	Copy    adminCopyCommand    `cmd:"" help:"Copy a club into an empty database, such as from a file to PostgreSQL, and compare every row."`
	Export  adminExportCommand  `cmd:"" help:"Write the finished games between people to files, by month, with checksums."`
	Revert  adminRevertCommand  `cmd:"" help:"Give a game another result, or none; ratings are worked out anew."`
}

// with opens the database, which must be there, and does something with it.
func (c *adminCommand) with(do func(ctx context.Context, db *store.Store) error) error {
	where, err := c.place.open(&Streams{Err: io.Discard})
	if err != nil {
		return err
	}
	if !store.Exists(where) {
		return fmt.Errorf("no database %s in %q; expected the directory that loa serve uses", store.FileName, where)
	}
	ctx := context.Background()
	db, err := store.Open(ctx, where)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, db), db.Close())
}

// someone names a person.
type someone struct {
	Name string `arg:"" help:"A member's name, or the id of anybody as find prints it."`
}

// reason is given for every act.
type reason struct {
	Reason string `required:"" placeholder:"TEXT" help:"Why. The person reads it, and it stays in the log."`
}

// span is how long something lasts.
type span struct {
	Days int `default:"0" placeholder:"N" help:"For how many days; 0 is for good. Default: ${default}."`
}

// act does something about a person and says what was done.
func (c *adminCommand) act(streams *Streams, kind account.ActKind, who someone, why reason, days int) error {
	if err := account.CheckReason(why.Reason); err != nil {
		return usagef("--reason: %w", err)
	}
	if days < 0 || days > account.MostActDays {
		return usagef("--days %d: expected 0 to %d", days, account.MostActDays)
	}
	return c.with(func(ctx context.Context, db *store.Store) error {
		person, err := findOne(ctx, db, who.Name)
		if err != nil {
			return err
		}
		if person.Guest() && (kind == account.Close || kind == account.Appoint) {
			return fmt.Errorf("%q is a guest without an account; expected a member", who.Name)
		}
		now := time.Now()
		act := account.Act{At: now, Kind: kind, Person: person.ID, Name: person.Name, Reason: strings.TrimSpace(why.Reason)}
		if kind == account.Mute || kind == account.Bar {
			act.Until = account.ActDays(days, now)
		}
		guest, err := account.NewGuest(crand.Reader, now)
		if err != nil {
			return err
		}
		if err := db.Act(ctx, act, guest.Name); err != nil {
			return err
		}
		fmt.Fprintf(streams.Out, "%s %s%s\n", kind, person.Name, untilText(act.Until))
		return nil
	})
}

// findOne returns the member with a name, or whoever has it for an id.
func findOne(ctx context.Context, db *store.Store, name string) (account.Person, error) {
	person, known, err := db.PersonByName(ctx, name)
	if err == nil && !known {
		person, known, err = db.PersonByID(ctx, name)
	}
	if err == nil && !known {
		err = fmt.Errorf("nobody is called %q; expected a member's name or an id, see loa admin find", name)
	}
	return person, err
}

func untilText(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case !at.Before(account.Forever):
		return " for good"
	}
	return " until " + at.UTC().Format(time.RFC3339)
}

type adminFindCommand struct {
	Text string `arg:"" help:"The beginning of a name, a guest's number, or an id."`
}

// mostFound bounds what is listed.
const mostFound = 100

// Run carries the subcommand out.
func (c *adminFindCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.with(func(ctx context.Context, db *store.Store) error {
		people, err := db.FindPeople(ctx, c.Text, mostFound)
		if err != nil {
			return err
		}
		if len(people) == 0 {
			return fmt.Errorf("nobody is called %q", c.Text)
		}
		return table(streams.Out, "ID\tNAME\tKIND\tSINCE\tSTANDING", people, func(p account.Person) string {
			kind := "guest"
			switch {
			case p.Moderator:
				kind = "moderator"
			case p.Member:
				kind = "member"
			}
			standing := "good"
			switch now := time.Now(); {
			case !p.MayPlay(now):
				standing = "barred" + untilText(p.Barred)
			case !p.MayTalk(now):
				standing = "muted" + untilText(p.Muted)
			}
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", p.ID, p.Name, kind, p.Created.UTC().Format(time.DateOnly), standing)
		})
	})
}

// table writes rows in columns.
func table[T any](out io.Writer, head string, rows []T, row func(T) string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for _, r := range rows {
		fmt.Fprintln(w, row(r))
	}
	return w.Flush()
}

type adminLogCommand struct {
	Name  string `arg:"" optional:"" help:"Only about this person: a member's name or an id."`
	Limit int    `default:"100" placeholder:"N" help:"At most so many entries, the latest. Default: ${default}."`
}

// Run carries the subcommand out.
func (c *adminLogCommand) Run(streams *Streams, admin *adminCommand) error {
	if c.Limit < 1 {
		return usagef("--limit %d: expected at least 1", c.Limit)
	}
	return admin.with(func(ctx context.Context, db *store.Store) error {
		filter := account.ActFilter{}
		if c.Name != "" {
			person, err := findOne(ctx, db, c.Name)
			if err != nil {
				return err
			}
			filter.Person = person.ID
		}
		acts, err := db.Acts(ctx, filter, c.Limit)
		if err != nil {
			return err
		}
		return table(streams.Out, "NUMBER\tWHEN\tBY\tACT\tABOUT\tREASON", acts, func(a account.Act) string {
			about := strings.TrimSpace(a.Name + " " + a.Match)
			what := strings.Join(strings.Fields(string(a.Kind)+" "+a.Result+untilText(a.Until)), " ")
			by := a.ByName
			if a.By == "" {
				by = "host"
			}
			return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", a.Number, a.At.UTC().Format(time.RFC3339), by, what, about, strings.Join(strings.Fields(a.Reason), " "))
		})
	})
}

type adminReportsCommand struct {
	All bool `help:"Closed ones too."`
}

// mostReports bounds what is listed.
const mostReports = 1000

// Run carries the subcommand out.
func (c *adminReportsCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.with(func(ctx context.Context, db *store.Store) error {
		reports, err := db.Reports(ctx, talk.Filter{Open: !c.All}, mostReports)
		if err != nil {
			return err
		}
		for _, r := range reports {
			state := "open"
			if !r.Closed.IsZero() {
				state = "closed: " + strings.Join(strings.Fields(r.Answer), " ")
			}
			fmt.Fprintf(streams.Out, "%d  %s  %s about %s (%s) by %s (%s)  %s\n", r.ID, r.At.UTC().Format(time.RFC3339), r.Reason, r.Context.Name, r.About, r.ByName, r.By, state)
			if r.Match != "" {
				fmt.Fprintf(streams.Out, "   game %s\n", r.Match)
			}
			if r.Text != "" {
				fmt.Fprintf(streams.Out, "   %s\n", strings.ReplaceAll(r.Text, "\n", "\n   "))
			}
			for _, quote := range r.Context.Remarks {
				fmt.Fprintf(streams.Out, "   > %s: %s\n", quote.Name, orElse(quote.Text, "["+quote.Preset+"]"))
			}
		}
		return nil
	})
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

type adminAnswerCommand struct {
	Report int64 `arg:"" help:"The number of the report."`
	reason
}

// Run carries the subcommand out.
func (c *adminAnswerCommand) Run(streams *Streams, admin *adminCommand) error {
	if err := account.CheckReason(c.Reason); err != nil {
		return usagef("--reason: %w", err)
	}
	return admin.with(func(ctx context.Context, db *store.Store) error {
		report, known, err := db.Report(ctx, c.Report)
		if err != nil {
			return err
		}
		if !known {
			return fmt.Errorf("there is no report %d; see loa admin reports", c.Report)
		}
		act := account.Act{
			At: time.Now(), Kind: account.Answer, Person: report.About, Name: report.Context.Name, Match: report.Match, Report: c.Report,
			Reason: strings.TrimSpace(c.Reason),
		}
		if err := db.Act(ctx, act, ""); err != nil {
			return err
		}
		fmt.Fprintf(streams.Out, "answer %d\n", c.Report)
		return nil
	})
}

// The acts about a person.
type (
	adminWarnCommand struct {
		someone
		reason
	}
	adminMuteCommand struct {
		someone
		span
		reason
	}
	adminUnmuteCommand struct {
		someone
		reason
	}
	adminBarCommand struct {
		someone
		span
		reason
	}
	adminUnbarCommand struct {
		someone
		reason
	}
	adminCloseCommand struct {
		someone
		reason
	}
	adminAppointCommand struct {
		someone
		reason
	}
	adminDismissCommand struct {
		someone
		reason
	}
)

// Run carries the subcommand out.
func (c *adminWarnCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Warn, c.someone, c.reason, 0)
}

// Run carries the subcommand out.
func (c *adminMuteCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Mute, c.someone, c.reason, c.Days)
}

// Run carries the subcommand out.
func (c *adminUnmuteCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Unmute, c.someone, c.reason, 0)
}

// Run carries the subcommand out.
func (c *adminBarCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Bar, c.someone, c.reason, c.Days)
}

// Run carries the subcommand out.
func (c *adminUnbarCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Unbar, c.someone, c.reason, 0)
}

// Run carries the subcommand out.
func (c *adminCloseCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Close, c.someone, c.reason, 0)
}

// Run carries the subcommand out.
func (c *adminAppointCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Appoint, c.someone, c.reason, 0)
}

// Run carries the subcommand out.
func (c *adminDismissCommand) Run(streams *Streams, admin *adminCommand) error {
	return admin.act(streams, account.Dismiss, c.someone, c.reason, 0)
}

type adminRecoverCommand struct {
	someone
	reason
	Public string `env:"LOA_PUBLIC" placeholder:"URL" help:"Address people use, such as https://example.org, for the link to begin with. Without it the link is the part behind that."`
}

// Run carries the subcommand out.
func (c *adminRecoverCommand) Run(streams *Streams, admin *adminCommand) error {
	if err := account.CheckReason(c.Reason); err != nil {
		return usagef("--reason: %w", err)
	}
	if _, err := web.ParsePublic(c.Public); err != nil {
		return usagef("--public: %w", err)
	}
	return admin.with(func(ctx context.Context, db *store.Store) error {
		person, err := findOne(ctx, db, c.Name)
		if err != nil {
			return err
		}
		if person.Guest() {
			return fmt.Errorf("%q is a guest without an account; expected a member", c.Name)
		}
		secret, err := account.NewSecret(crand.Reader)
		if err != nil {
			return err
		}
		now := time.Now()
		act := account.Act{At: now, Kind: account.Readmit, Person: person.ID, Name: person.Name, Reason: strings.TrimSpace(c.Reason)}
		token := account.Token{Hash: account.HashSecret(secret), Person: person.ID, Purpose: account.Recover, Expires: now.Add(account.HandedLife)}
		if err := db.Readmit(ctx, act, token); err != nil {
			return err
		}
		fmt.Fprintf(streams.Out, "%s/%s/%s works once, for %s, for %s\n", strings.TrimSuffix(c.Public, "/"), account.Recover, secret, account.HandedLife, person.Name)
		return nil
	})
}

type adminRevertCommand struct {
	Game   string `arg:"" help:"The game: the last part of its page's address."`
	Result string `default:"void" enum:"void,black,white,draw" help:"void for a game that counts for nothing, or black, white, draw. Default: ${default}."`
	reason
}

// Run carries the subcommand out.
func (c *adminRevertCommand) Run(streams *Streams, admin *adminCommand) error {
	if err := account.CheckReason(c.Reason); err != nil {
		return usagef("--reason: %w", err)
	}
	outcome := map[string]loa.Outcome{
		"void":  {Winner: loa.NoColor, Reason: loa.Aborted},
		"black": {Winner: loa.Black, Reason: loa.Adjudicated},
		"white": {Winner: loa.White, Reason: loa.Adjudicated},
		"draw":  {Winner: loa.NoColor, Reason: loa.Adjudicated},
	}[c.Result]
	return admin.with(func(ctx context.Context, db *store.Store) error {
		service := live.New(db, new(bus.Memory), time.Now, 1)
		m, err := service.Adjudicate(ctx, match.ID(c.Game), outcome, account.Act{At: time.Now(), Reason: strings.TrimSpace(c.Reason)})
		if errors.Is(err, live.ErrNotFound) {
			return fmt.Errorf("there is no game %q; expected the last part of a game's address", c.Game)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(streams.Out, "game %s: %s\n", m.ID(), m.Outcome())
		return nil
	})
}
