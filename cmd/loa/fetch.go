package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/linesofaction/loa/internal/wire"
	"github.com/linesofaction/loa/sgf"
)

// fetchCommand downloads finished games.
type fetchCommand struct {
	Server string `required:"" placeholder:"URL" help:"Address of the club, such as https://example.org."`
	Token  string `env:"LOA_TOKEN" placeholder:"TEXT" help:"Token, which is not needed, but has limits of its own."`
	Form   string `default:"jsonl" enum:"jsonl,sgf" placeholder:"FORM" help:"Form to write: one JSON object a line (jsonl), or sgf. Default: ${default}."`
	Output string `short:"o" placeholder:"FILE" help:"File to write; one that is there is gone on with. Default: NAME.jsonl or NAME.sgf."`
	Name   string `arg:"" optional:"" help:"A member. Without a name all games between people are fetched."`
}

// fetchedAtOnce is how many games one request brings.
const (
	fetchedAtOnce = 200
	fetchPatience = 15 * time.Second // with a server that does not answer
)

// Run carries the subcommand out.
func (c *fetchCommand) Run(streams *Streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	api, err := newAPIClient(c.Server, c.Token, seldom(func(err error) { streams.warn("trying again: %s", oneLine(err)) }))
	if err != nil {
		return err
	}
	path, name := "/api/v1/games", "games"
	if c.Name != "" {
		path, name = "/api/v1/players/"+url.PathEscape(c.Name)+"/games", c.Name
	}
	if c.Output == "" {
		c.Output = strings.ReplaceAll(name, string(os.PathSeparator), "_") + "." + c.Form
	}
	after, had, err := c.had()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(c.Output, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	n := 0
	for more := true; more && err == nil; {
		var body []byte
		got := 0
		last := after
		if body, got, last, err = c.fetch(ctx, api, path, after); err != nil {
			break
		}
		if _, err = file.Write(body); err == nil {
			err = file.Sync()
		}
		n, after, more = n+got, last, got == fetchedAtOnce
	}
	if err = errors.Join(err, file.Close()); err != nil {
		if had+n == 0 {
			return errors.Join(err, os.Remove(c.Output))
		}
		return fmt.Errorf("%w; %s holds %d games, the same call goes on from there", err, c.Output, had+n)
	}
	fmt.Fprintf(streams.Out, "%d new games, %d in %s\n", n, had+n, c.Output)
	return nil
}

// fetch brings the games after one, as they are to be written, their number, and the id of the last.
func (c *fetchCommand) fetch(ctx context.Context, api *apiClient, path, after string) (body []byte, n int, last string, err error) {
	query := url.Values{"limit": {fmt.Sprint(fetchedAtOnce)}}
	if after != "" {
		query.Set("after", after)
	}
	var p pauses
	for until := time.Now().Add(fetchPatience); ; {
		body, n, last = nil, 0, after
		err = api.lines(ctx, path+"?"+query.Encode(), func(line []byte) error {
			var record wire.Record
			if err := json.Unmarshal(line, &record); err != nil {
				return err
			}
			text := append(bytes.Clone(line), '\n')
			if c.Form == "sgf" {
				if text, err = sgfOf(record, api.server); err != nil {
					return fmt.Errorf("game %s: %w", record.ID, err)
				}
			}
			body, last = append(body, text...), record.ID
			n++
			return nil
		})
		if err == nil || ctx.Err() != nil || !passing(err) || time.Now().After(until) || !p.after(ctx, err) {
			return body, n, last, err
		}
		api.trying(err)
	}
}

// had returns the last game of the file and how many it holds. What was written of a line and not to its end is cut off.
func (c *fetchCommand) had() (last string, n int, err error) {
	body, err := os.ReadFile(c.Output)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(body) == 0 {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	if c.Form == "sgf" {
		records, _, err := sgf.Parse(body, sgf.Options{})
		if err != nil {
			return "", 0, fmt.Errorf("%s: %w", c.Output, err)
		}
		last = placed(records[len(records)-1])
		if last == "" {
			return "", 0, fmt.Errorf("%s: its last game does not name the page of a club, expected a file that fetch wrote", c.Output)
		}
		return last, len(records), nil
	}
	whole := body[:bytes.LastIndexByte(body, '\n')+1]
	if len(whole) < len(body) {
		if err := os.Truncate(c.Output, int64(len(whole))); err != nil {
			return "", 0, err
		}
	}
	for line := range bytes.Lines(whole) {
		var record wire.Record
		if n++; json.Unmarshal(line, &record) != nil || record.ID == "" {
			return "", 0, fmt.Errorf("%s: line %d is not a game of a club, expected a file that fetch wrote", c.Output, n)
		}
		last = record.ID
	}
	return last, n, nil
}
