package main

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa/internal/account"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/talk"
)

func TestAdminActsOnADatabaseThatIsOpen(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	db, err := store.Open(ctx, dir) // as a server has it
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.AddPerson(ctx, account.Person{ID: "id-m", Name: "1234", Created: time.UnixMilli(1_700_000_000_000)}, account.HashSecret("m")); err != nil {
		t.Fatal(err)
	}
	if err := db.Join(ctx, "id-m", "Marit", "stored"); err != nil {
		t.Fatal(err)
	}
	if err := db.AddPerson(ctx, account.Person{ID: "id-g", Name: "4321", Created: time.UnixMilli(1_700_000_000_000)}, account.HashSecret("g")); err != nil {
		t.Fatal(err)
	}
	report := talk.Report{By: "id-g", About: "id-m", Reason: "abuse", Text: "Rude.", At: time.UnixMilli(1_700_000_000_000)}
	report.Context = talk.Context{Name: "Marit", Remarks: []talk.Quote{{N: 1, Person: "id-m", Name: "Marit", Text: "Fool"}, {N: 2, Person: "id-m", Name: "Marit", Preset: "luck"}}}
	if err := db.AddReport(ctx, report); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		want string // in the output, as a pattern
	}{
		{"reports", `(?s)^1  2023-.* abuse about Marit \(id-m\) by 4321 \(id-g\)  open\n   Rude.\n   > Marit: Fool\n   > Marit: \[luck\]\n$`},
		{"find mar", `id-m +Marit +member +2023-11-14 +good`},
		{"warn marit --reason because", `^warn Marit\n$`},
		{"mute Marit --days 3 --reason because", `^mute Marit until \d{4}-`},
		{"find id-m", `muted until`},
		{"unmute id-m --reason because", `^unmute Marit\n$`},
		{"bar Marit --reason because", `^bar Marit for good\n$`},
		{"find MARIT", `barred for good`},
		{"unbar Marit --reason because", `^unbar Marit\n$`},
		{"appoint Marit --reason because", `^appoint Marit\n$`},
		{"find marit", `moderator`},
		{"dismiss Marit --reason because", `^dismiss Marit\n$`},
		{"recover Marit --reason lost --public https://example.org/loa/", `^https://example.org/loa/recover/[\w-]{43} works once, for 48h0m0s, for Marit\n$`},
		{"recover id-m --reason lost", `^/recover/[\w-]{43} works once`},
		{"answer 1 --reason muted", `^answer 1\n$`},
		{"reports", `^$`},
		{"reports --all", `closed: muted`},
		{"log Marit --limit 1", `(?s)NUMBER.*\n10 .* host +answer +Marit +muted\n$`},
		{"close Marit --reason because", `^close Marit\n$`},
		{"log", `11 .*close`},
	} {
		code, out, errs := call(t, "", append([]string{"admin", "--data", dir}, strings.Fields(test.args)...)...)
		if code != 0 || !regexp.MustCompile(test.want).MatchString(out) {
			t.Errorf("admin %s: exit %d, %q, %q, want %s", test.args, code, out, errs, test.want)
		}
	}
	if _, known, err := db.PersonByName(ctx, "Marit"); known || err != nil {
		t.Errorf("after closing: %v, %v", known, err)
	}
}

func TestAdminRefusesWhatCannotBe(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.AddPerson(context.Background(), account.Person{ID: "g", Name: "1234"}, account.HashSecret("g")); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--data", dir, "mute", "nobody", "--reason", "because"}, 1, `nobody is called "nobody"`},
		{[]string{"--data", dir, "mute", "g"}, 2, "--reason"},
		{[]string{"--data", dir, "mute", "g", "--reason", " "}, 2, "without a reason"},
		{[]string{"--data", dir, "mute", "g", "--days=-3", "--reason", "because"}, 2, "--days -3"},
		{[]string{"--data", dir, "close", "g", "--reason", "because"}, 1, "guest without an account"},
		{[]string{"--data", dir, "appoint", "g", "--reason", "because"}, 1, "guest without an account"},
		{[]string{"--data", dir, "recover", "g", "--reason", "because"}, 1, "guest without an account"},
		{[]string{"--data", dir, "recover", "g", "--reason", "because", "--public", "here"}, 2, "--public"},
		{[]string{"--data", dir, "revert", "xyz", "--reason", "because"}, 1, `no game "xyz"`},
		{[]string{"--data", dir, "revert", "xyz", "--result", "pink", "--reason", "because"}, 2, "pink"},
		{[]string{"--data", dir, "answer", "7", "--reason", "because"}, 1, "no report 7"},
		{[]string{"--data", dir, "answer", "seven", "--reason", "because"}, 2, "seven"},
		{[]string{"--data", dir, "find", "zed"}, 1, `nobody is called "zed"`},
		{[]string{"--data", dir, "log", "--limit", "0"}, 2, "--limit 0"},
		{[]string{"--data", dir + "/none", "log"}, 1, "no database"},
	} {
		code, out, errs := call(t, "", append([]string{"admin"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.want) || out != "" {
			t.Errorf("%v: exit %d, %q, %q, want %d and %q", test.args, code, out, errs, test.code, test.want)
		}
	}
}
