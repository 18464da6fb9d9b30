package store_test

import (
	"database/sql"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linesofaction/loa/internal/store"
)

// wholeTables are the statements that may read a whole table, by a part of their text, and why.
var wholeTables = map[string]string{
	"FROM closing ORDER BY number": "checking the ratings reads every result",
	"FROM seek":                    "all who look for a game are read, and others are removed when a pair is found",
	"FROM pool":                    "there are as many pools as rule sets and speeds",
	"DELETE FROM block":            "closing an account is rare",
	"FROM report WHERE about = $1": "closing an account is rare, and reports are few",
}

// TestNoStatementReadsAWholeTable: what a page costs must not grow with what was played before, so every statement in
// this package finds its rows through an index, or through a partial one that holds only what is going on.
func TestNoStatementReadsAWholeTable(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	partial := map[string]bool{}
	for _, name := range column(t, db, 0, `SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'`) {
		partial[name] = true
	}
	tables := map[string]bool{}
	for _, name := range column(t, db, 0, `SELECT name FROM sqlite_master WHERE type = 'table'`) {
		tables[name] = true
	}
	scan := regexp.MustCompile(`^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?`)
	statements := sqlStatements(t)
	if len(statements) < 30 {
		t.Fatalf("only %d statements were found", len(statements))
	}
	for _, statement := range statements {
		for _, step := range column(t, db, 3, "EXPLAIN QUERY PLAN "+statement) {
			found := scan.FindStringSubmatch(step)
			if found == nil || !tables[found[1]] || partial[found[2]] || allowed(statement) {
				continue
			}
			t.Errorf("%s: %s", step, statement)
		}
	}
}

func allowed(statement string) bool {
	for part := range wholeTables {
		if strings.Contains(statement, part) {
			return true
		}
	}
	return false
}

// column returns one column of a query as text.
func column(t *testing.T, db *sql.DB, at int, query string) []string {
	t.Helper()
	rows, err := db.Query(query, make([]any, strings.Count(query, "EXPLAIN")*highest(query))...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		texts := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, texts[at].String)
	}
	return out
}

// highest returns the number of the last parameter of a statement.
func highest(statement string) int {
	last := 0
	for _, found := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(statement, -1) {
		n, _ := strconv.Atoi(found[1])
		last = max(last, n)
	}
	return last
}

// sqlStatements returns the statements that stand in the sources of this package.
func sqlStatements(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]ast.Expr{}
	var parsed []*ast.File
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || slices.Contains([]string{"sqlite.go", "postgres.go", "copy.go"}, name) { // for one kind of database, or for all rows
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
		for _, declared := range file.Decls {
			if group, ok := declared.(*ast.GenDecl); ok && group.Tok == token.CONST {
				define(constants, group)
			}
		}
	}
	begins := regexp.MustCompile(`^(SELECT|UPDATE|DELETE|INSERT INTO|WITH) `)
	var statements []string
	for _, file := range parsed {
		// constants of one function may bear the names of another's: the nearest one before the use counts
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.GenDecl:
				if n.Tok != token.CONST {
					return true
				}
				define(constants, n)
				return false // a constant counts where it is used
			case ast.Expr:
				if _, name := n.(*ast.Ident); name {
					return true // a constant is looked at within what it is part of
				}
				text, ok := folded(n, constants)
				if ok && begins.MatchString(text) {
					statements = append(statements, text)
				}
				_, sum := n.(*ast.BinaryExpr)
				return !(sum && ok)
			}
			return true
		})
	}
	return statements
}

// define takes constants down.
func define(constants map[string]ast.Expr, group *ast.GenDecl) {
	for _, spec := range group.Specs {
		values := spec.(*ast.ValueSpec)
		for i, name := range values.Names {
			if i < len(values.Values) {
				constants[name.Name] = values.Values[i]
			}
		}
	}
}

// folded returns the text of a constant expression.
func folded(e ast.Expr, constants map[string]ast.Expr) (string, bool) {
	switch n := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		return text, err == nil && n.Kind == token.STRING
	case *ast.Ident:
		value, ok := constants[n.Name]
		if !ok {
			return "", false
		}
		return folded(value, constants)
	case *ast.BinaryExpr:
		left, ok := folded(n.X, constants)
		right, also := folded(n.Y, constants)
		return left + right, ok && also
	}
	return "", false
}
