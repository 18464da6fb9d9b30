package loa_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeShowsTheExample: the snippet in the README is the body of Example, and what it prints is its output.
func TestReadmeShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func Example() {\n")
	body, output, ok := strings.Cut(body, "\t// Output:\n")
	if !ok {
		t.Fatal("example_test.go has no Example with an output")
	}
	output, _, _ = strings.Cut(output, "}")
	output = strings.ReplaceAll(output, "\t// ", "")
	for name, want := range map[string]string{"code": body, "output": output} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md does not hold this %s:\n%s", name, want)
		}
	}
}
