package account_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/account"
)

func TestNames(t *testing.T) {
	for name, why := range map[string]string{
		"Marit": "", "a-b_9": "", "x12": "", strings.Repeat("a", 20): "",
		"ab": "short", "": "short", strings.Repeat("a", 21): "long", "1abc": "first", "_abc": "first", "a b c": "letters",
		"Мarit": "first", "mаrit": "letters", "a<b>c": "letters", "Admin": "reserved", "m0derator": "reserved", "B-o-t": "reserved",
		"Lines-of-Action": "reserved", "Guest1234": "reserved", "guest-12": "reserved", "Gu3st_7": "reserved", "Mod1": "reserved",
		"Guesthouse": "", "Modest": "", "Bo7": "", "Anna7": "",
		"loa-admin": "reserved", "Moderators": "reserved", "Club-Staff": "reserved", "Official_LOA": "reserved", "LOA-Team": "reserved", "LOAteam": "", "LOA-fan": "", "TheAdmin": "reserved",
		"Admin4you": "", "Mod1-NL": "reserved", "anna-m0d": "reserved", "Support-er": "reserved", "Supporter": "", "Hostel": "", "loader": "", "Teamwork": "", "Balloaston": "",
	} {
		err := account.CheckName(name)
		var wrong *account.NameError
		got := ""
		if errors.As(err, &wrong) {
			got = wrong.Why
		}
		if got != why {
			t.Errorf("%q: %q, want %q", name, got, why)
		}
	}
}

func TestNamesThatLookAlikeShareAKey(t *testing.T) {
	for _, pair := range [][2]string{{"Marit", "MARIT"}, {"marit", "mar1t"}, {"bob", "b0b"}, {"a_b-c", "abc"}, {"Ill", "l1i"}, {"corner", "comer"}} {
		if account.Key(pair[0]) != account.Key(pair[1]) {
			t.Errorf("%q and %q have different keys", pair[0], pair[1])
		}
	}
	if account.Key("marit") == account.Key("maria") {
		t.Error("different names share a key")
	}
}

func TestPasswords(t *testing.T) {
	for password, want := range map[string]string{"1234567": "short", "correct horse": "", strings.Repeat("x", 201): "long", "Marit-Marit": "name"} {
		if got := account.CheckPassword(password, "MaritMarit"); got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}

func TestSecretsAreLongAndDiffer(t *testing.T) {
	random := bytes.NewReader(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7}, 100))
	one, err := account.NewSecret(random)
	if err != nil {
		t.Fatal(err)
	}
	two, err := account.NewSecret(random)
	if err != nil || one == two || len(one) != 43 {
		t.Errorf("%q and %q, %v", one, two, err)
	}
	if bytes.Equal(account.HashSecret(one), account.HashSecret(two)) {
		t.Error("two secrets have one hash")
	}
	if _, err := account.NewID(bytes.NewReader(nil)); err == nil {
		t.Error("an id without randomness")
	}
	guest, err := account.NewGuest(random, time.UnixMilli(0))
	if err != nil || len(guest.Name) != 4 || !guest.Guest() {
		t.Errorf("guest %+v, %v", guest, err)
	}
}

func TestSeatSecretOpensOneSeat(t *testing.T) {
	key := []byte("key")
	secret := account.SeatSecret(key, "m", loa.Black)
	if !account.IsSeatSecret(key, "m", loa.Black, secret) {
		t.Error("the seat does not open")
	}
	for _, other := range []bool{
		account.IsSeatSecret(key, "m", loa.White, secret),
		account.IsSeatSecret(key, "n", loa.Black, secret),
		account.IsSeatSecret([]byte("other"), "m", loa.Black, secret),
		account.IsSeatSecret(key, "m", loa.Black, ""),
	} {
		if other {
			t.Error("another seat opens")
		}
	}
}
