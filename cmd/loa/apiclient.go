package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/linesofaction/loa/internal/wire"
)

// apiClient asks a club over its interface for programs.
type apiClient struct {
	server string // without a slash at its end
	token  string // empty for somebody unknown
	client *http.Client
	trying func(err error) // is told what is tried again
}

// newAPIClient reads the address of a club.
func newAPIClient(server, token string, trying func(error)) (*apiClient, error) {
	at, err := url.Parse(server)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, usagef("--server %q: expected the address of a club, such as https://example.org", server)
	}
	return &apiClient{server: strings.TrimSuffix(server, "/"), token: token, client: &http.Client{}, trying: trying}, nil
}

// apiError is an answer that is not what was asked for.
type apiError struct {
	status int
	wait   time.Duration // after which it may be tried again
	wire.Fault
}

func (e *apiError) Error() string {
	text := e.Text
	if e.Expected != "" && !strings.Contains(text, e.Expected) {
		text += "; expected " + e.Expected
	}
	return fmt.Sprintf("%s (%d %s)", text, e.status, e.Code)
}

const (
	answerWithin = 20 * time.Second // for an answer
	silentFor    = 20 * time.Second // after which a stream, which says every 5 seconds that it is alive, counts as dead
	firstPause   = 200 * time.Millisecond
	longestPause = 20 * time.Second
)

// send asks once. The body of the answer is to be closed.
func (a *apiClient) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, a.server+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	answer, err := a.client.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return answer, nil
	}
	defer answer.Body.Close()
	var problem wire.Problem
	text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(text, &problem) != nil || problem.Error.Text == "" {
		return nil, &apiError{status: answer.StatusCode, Fault: wire.Fault{
			Code: "no-club", Text: fmt.Sprintf("%s answers %s %s with %s", a.server, method, path, answer.Status), Expected: "JSON of a club of Lines of Action",
		}}
	}
	e := &apiError{status: answer.StatusCode, Fault: problem.Error, wait: time.Duration(problem.Error.Wait) * time.Millisecond}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && e.wait == 0 {
		e.wait = time.Duration(seconds) * time.Second
	}
	return nil, e
}

// once asks and reads the answer.
func (a *apiClient) once(ctx context.Context, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answer, err := a.send(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, answer.Body)
		return err
	}
	if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
		return fmt.Errorf("reading the answer of %s to %s %s: %w", a.server, method, path, err)
	}
	return nil
}

// passing reports whether an error may pass by itself: the network, the club being away, too many requests.
func passing(err error) bool {
	var e *apiError
	return !errors.As(err, &e) || e.status == http.StatusTooManyRequests || e.status >= 500
}

// pauses are the waits between tries, longer each time.
type pauses struct{ next time.Duration }

// after waits after an error; it reports false when there is no more to wait for.
func (p *pauses) after(ctx context.Context, err error) bool {
	p.next = min(max(firstPause, 2*p.next), longestPause)
	wait := p.next
	var e *apiError
	if errors.As(err, &e) && e.wait > 0 {
		wait = e.wait
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}

// ask asks until there is an answer that stays.
func (a *apiClient) ask(ctx context.Context, method, path string, in, out any) error {
	var p pauses
	for {
		err := a.once(ctx, method, path, in, out)
		if err == nil || ctx.Err() != nil || !passing(err) {
			return err
		}
		a.trying(err)
		if !p.after(ctx, err) {
			return err
		}
	}
}

// lines reads a stream until it ends, and hands on each line that is not empty. A stream that has fallen silent ends
// with an error.
func (a *apiClient) lines(ctx context.Context, path string, each func([]byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(silentFor, func() { cancel(fmt.Errorf("%s: nothing came for %s", path, silentFor)) })
	defer silent.Stop()
	answer, err := a.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	defer answer.Body.Close()
	reader := bufio.NewReader(answer.Body)
	for {
		line, err := reader.ReadBytes('\n')
		silent.Reset(silentFor)
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil { // a last line that is cut off is worth nothing
			return errors.Join(err, context.Cause(ctx))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := each(line); err != nil {
				return err
			}
		}
	}
}
