//go:build !js

// The browser has no use for SHA-256, which would make its engine larger.

package proof

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
)

// Write writes the proof as a file.
func (p *Proof) Write(to io.Writer) error {
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<16)
	moves := make([]string, len(p.Moves))
	for i, m := range p.Moves {
		moves[i] = m.String()
	}
	images := 1
	if p.Images {
		images = 8
	}
	fmt.Fprintf(out, "%s\nrules %s\nposition %s\nmoves %s\nimages %d\n", magic, p.Rules, p.Position, strings.Join(moves, " "), images)
	for _, c := range p.Claims {
		fmt.Fprintf(out, "%s %s %d\n", c.word(), c.Side, len(c.Records))
	}
	fmt.Fprintln(out)
	var b [recordSize]byte
	for _, c := range p.Claims {
		for _, r := range c.Records {
			r.encode(b[:])
			out.Write(b[:])
		}
	}
	if err := out.Flush(); err != nil { // the first error of writing, whichever it was
		return err
	}
	_, err := to.Write(sum.Sum(nil))
	return err
}
