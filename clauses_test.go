package loa_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestClauses: every clause that is cited anywhere exists in doc.go, and every clause of doc.go is cited by a test.
func TestClauses(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	clauses := map[int]bool{}
	for _, m := range regexp.MustCompile(`(?m)^//  (\d+)\. `).FindAllStringSubmatch(string(doc), -1) {
		n, _ := strconv.Atoi(m[1])
		if n != len(clauses)+1 {
			t.Errorf("clause %d follows clause %d", n, len(clauses))
		}
		clauses[n] = true
	}
	if len(clauses) == 0 {
		t.Fatal("no clauses in doc.go")
	}
	tested := map[int]bool{}
	cite := regexp.MustCompile(`\bclauses? (\d+)(?: (to|and) (\d+))?`)
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range cite.FindAllStringSubmatch(string(source), -1) {
			first, _ := strconv.Atoi(m[1])
			last := first
			if m[3] != "" {
				last, _ = strconv.Atoi(m[3])
			}
			for n := first; n <= last; n++ {
				if !clauses[n] {
					t.Errorf("%s cites clause %d, which doc.go does not have", path, n)
				}
				if strings.HasSuffix(path, "_test.go") && (m[2] != "and" || n == first || n == last) {
					tested[n] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= len(clauses); n++ {
		if !tested[n] {
			t.Errorf("no test cites clause %d", n)
		}
	}
}
