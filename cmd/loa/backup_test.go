package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackupOfAClubThatIsServedIsRestored(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	served(t, dir)
	code, out, errs := call(t, "", "admin", "--data", dir, "backup", kept)
	if code != 0 || !strings.Contains(out, "copied and compared, version ") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	file := out[:strings.Index(out, ":")]
	if filepath.Dir(file) != kept {
		t.Errorf("the backup is %q, expected it in %q", file, kept)
	}
	target := filepath.Join(t.TempDir(), "new")
	if code, out, errs := call(t, "", "admin", "--data", target, "restore", file); code != 0 || !strings.Contains(out, "copied and compared") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	served(t, target)
	broken := filepath.Join(kept, "broken")
	if err := os.WriteFile(broken, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", dir, "backup", file}, "already"},
		{[]string{"--data", filepath.Join(kept, "none"), "backup", kept}, "no database"},
		{[]string{"--data", target, "restore", file}, "already"},
		{[]string{"--data", filepath.Join(kept, "other"), "restore", broken}, "damaged"},
		{[]string{"--data", filepath.Join(kept, "other"), "restore", filepath.Join(kept, "none")}, "none"},
	} {
		if code, out, errs := call(t, "", append([]string{"admin"}, test.args...)...); code != 1 || out != "" || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit %d, %q, %q, want 1 and %q", test.args, code, out, errs, test.want)
		}
	}
}
