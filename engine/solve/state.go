//go:build !js

// The browser has no use for SHA-256, which would make its engine larger.

package solve

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/linesofaction/loa"
)

// A state file is how far a search came: the eight bytes of stateMagic, the version as 32 bits, the length of a text as
// 32 bits and the text, which is the rules, the position and those of the game that would be drawn; nodes, nanoseconds, whose
// turn it is to try (0 or 1), the positions left of it and those of a whole one as 64 bits each; proof number, disproof number (32 bits) and plies (16) of each side's
// root; the number of entries as 64 bits; the entries of 32 bytes; and the SHA-256 of all that. Numbers are little-endian.
const (
	stateMagic   = "LOASOLVE"
	stateVersion = 2
	entryBytes   = 32
	maxStateText = 1 << 20
)

// StateError says why a state cannot be read.
type StateError struct{ Why string }

func (e *StateError) Error() string { return "not a state of this search: " + e.Why }

// worthKeeping is the work from which an entry that settles nothing is written: what is quickly found again is not.
const worthKeeping = 8

// kept reports whether an entry is written. Proofs are made of all that is settled.
func (e *entry) kept() bool {
	return e.state != 0 && (e.work >= worthKeeping || e.proof == 0 || e.disproof == 0)
}

// statement is the text of what is being solved.
func (p *problem) statement() string {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\n%s\n", p.rules, p.start)
	for _, b := range p.barred {
		fmt.Fprintf(&text, "%s\n", b)
	}
	if p.capped {
		fmt.Fprintf(&text, "%d\n", p.left)
	}
	return text.String()
}

// stateHead is the part of a state between text and entries.
type stateHead struct {
	Nodes, Spent      uint64
	Side, Rest, Chunk uint64
	Roots             [2]struct {
		Proof, Disproof uint32
		Plies           uint16
	}
	Entries uint64
}

// WriteState writes how far the last Solve or Continue came. What is quickly found again is left out.
func (s *Solver) WriteState(w io.Writer) error {
	if s.problem == nil {
		return errors.New("nothing was searched")
	}
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<20)
	text := s.statement()
	head := stateHead{Nodes: s.nodes, Spent: uint64(s.spent), Side: s.side, Rest: s.rest, Chunk: s.chunk}
	for i, a := range s.attempts {
		root := &head.Roots[i]
		root.Proof, root.Disproof, root.Plies = a.root.proof, a.root.disproof, a.root.plies
	}
	for i := range s.table.buckets {
		for _, e := range s.table.buckets[i] {
			if e.kept() {
				head.Entries++
			}
		}
	}
	out.WriteString(stateMagic)
	write := func(v any) error { return binary.Write(out, binary.LittleEndian, v) }
	if err := errors.Join(write(uint32(stateVersion)), write(uint32(len(text)))); err != nil {
		return err
	}
	out.WriteString(text)
	if err := write(&head); err != nil {
		return err
	}
	var raw [entryBytes]byte
	for i := range s.table.buckets {
		for _, e := range s.table.buckets[i] {
			if !e.kept() {
				continue
			}
			e.put(&raw)
			if _, err := out.Write(raw[:]); err != nil {
				return err
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

func (e *entry) put(raw *[entryBytes]byte) {
	order := binary.LittleEndian
	order.PutUint64(raw[0:], uint64(e.own))
	order.PutUint64(raw[8:], uint64(e.other))
	order.PutUint32(raw[16:], e.proof)
	order.PutUint32(raw[20:], e.disproof)
	order.PutUint32(raw[24:], e.work)
	order.PutUint16(raw[28:], e.plies)
	order.PutUint16(raw[30:], e.state)
}

func (e *entry) get(raw *[entryBytes]byte) {
	order := binary.LittleEndian
	e.own, e.other = loa.Bitboard(order.Uint64(raw[0:])), loa.Bitboard(order.Uint64(raw[8:]))
	e.proof, e.disproof, e.work = order.Uint32(raw[16:]), order.Uint32(raw[20:]), order.Uint32(raw[24:])
	e.plies, e.state = order.Uint16(raw[28:]), order.Uint16(raw[30:])
}

// stateReader reads a state and takes its sum.
type stateReader struct {
	in  *bufio.Reader
	sum hash.Hash
}

func (r *stateReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.sum.Write(p[:n])
	return n, err
}

// ReadState makes the position of a game now the one to solve and takes up what WriteState wrote of it, into a table of
// any size; Continue goes on from there. A *StateError for what is no such state, is of another position or is damaged; nothing of
// it is then believed.
func (s *Solver) ReadState(r io.Reader, g *loa.Game) error {
	if err := s.Begin(g); err != nil {
		return err
	}
	err := s.readState(&stateReader{bufio.NewReaderSize(r, 1<<20), sha256.New()})
	if err != nil {
		return errors.Join(err, s.Begin(g))
	}
	return nil
}

func (s *Solver) readState(in *stateReader) error {
	bad := func(format string, args ...any) error { return &StateError{fmt.Sprintf(format, args...)} }
	short := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return bad("it is cut off")
		}
		return err
	}
	read := func(v any) error { return binary.Read(in, binary.LittleEndian, v) }
	magic := make([]byte, len(stateMagic))
	if _, err := io.ReadFull(in, magic); err != nil {
		return short(err)
	}
	if string(magic) != stateMagic {
		return bad("it begins with %q, expected %q", magic, stateMagic)
	}
	var version, length uint32
	if err := errors.Join(read(&version), read(&length)); err != nil {
		return short(err)
	}
	if version != stateVersion {
		return bad("it has version %d, expected %d", version, stateVersion)
	}
	if length > maxStateText {
		return bad("its text has %d bytes, expected at most %d", length, maxStateText)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return short(err)
	}
	if string(text) != s.statement() {
		return bad("it is of %q, expected %q", text, s.statement())
	}
	var head stateHead
	if err := read(&head); err != nil {
		return short(err)
	}
	var raw [entryBytes]byte
	for range head.Entries {
		if _, err := io.ReadFull(in, raw[:]); err != nil {
			return short(err)
		}
		var e entry
		if e.get(&raw); e.state == 0 {
			return bad("it has an entry of nothing")
		}
		s.table.store(e)
	}
	want := in.sum.Sum(nil)
	got := make([]byte, len(want))
	if _, err := io.ReadFull(in.in, got); err != nil {
		return short(err)
	}
	if !bytes.Equal(got, want) {
		return bad("its sum is wrong")
	}
	if _, err := in.in.ReadByte(); !errors.Is(err, io.EOF) {
		return bad("something follows its end")
	}
	if head.Side > 1 || head.Rest > head.Chunk || head.Chunk > mostChunk {
		return bad("it has a turn that is none")
	}
	s.nodes, s.spent, s.turn = head.Nodes, time.Duration(head.Spent), turn{head.Side, head.Rest, head.Chunk}
	for i, root := range head.Roots {
		a := &s.attempts[i].root
		a.proof, a.disproof, a.plies = root.Proof, root.Disproof, root.Plies
	}
	return nil
}
