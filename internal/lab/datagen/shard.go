package datagen

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/linesofaction/loa"
)

// A shard is a file: magic, version and record size (16 bits each), number of records and length of the note
// (32 bits each), the note, the records, and a SHA-256 of everything before it. Numbers are little-endian.
const (
	magic      = "LOASHARD"
	version    = 1
	recordSize = 20
	headSize   = len(magic) + 2 + 2 + 4 + 4
	mostNote   = 1 << 16
)

// ErrCorrupt is the error of a shard that is cut off, changed or of another kind.
var ErrCorrupt = errors.New("corrupt shard")

// The results a record can have.
const (
	Lost uint8 = iota
	Drawn
	Won
	Unknown // the position was not played on from
)

// Record is a searched position of a game, or beside one.
type Record struct {
	Black, White loa.Bitboard
	Turn         loa.Color
	Threat       bool  // the opponent would connect if it were its turn
	Score        int16 // of the search, in centipawns for the side to move
	Result       uint8 // for the side to move
	Plies        uint8 // to the end of the game, 255 for more
}

// append writes a record behind a buffer: Black, White, score, a byte of flags (the turn, the threat, two bits of
// result), plies.
func (r Record) append(to []byte) []byte {
	to = binary.LittleEndian.AppendUint64(to, uint64(r.Black))
	to = binary.LittleEndian.AppendUint64(to, uint64(r.White))
	to = binary.LittleEndian.AppendUint16(to, uint16(r.Score))
	flags := byte(r.Turn) | r.Result<<2
	if r.Threat {
		flags |= 2
	}
	return append(to, flags, r.Plies)
}

// recordOf reads what append wrote.
func recordOf(b []byte) Record {
	return Record{
		Black:  loa.Bitboard(binary.LittleEndian.Uint64(b)),
		White:  loa.Bitboard(binary.LittleEndian.Uint64(b[8:])),
		Score:  int16(binary.LittleEndian.Uint16(b[16:])),
		Turn:   loa.Color(b[18] & 1),
		Threat: b[18]&2 != 0,
		Result: b[18] >> 2,
		Plies:  b[19],
	}
}

// WriteShard writes a shard, which appears under its name only when it is whole. The note says where the
// records come from.
func WriteShard(path, note string, records []Record) error {
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint16(out, version)
	out = binary.LittleEndian.AppendUint16(out, recordSize)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(records)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(note)))
	out = append(out, note...)
	for _, r := range records {
		out = r.append(out)
	}
	sum := sha256.Sum256(out)
	out = append(out, sum[:]...)
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	_, err = temporary.Write(out)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// ReadShard reads a shard with its note. The error names the file, and is ErrCorrupt when what is in it is not
// what was written.
func ReadShard(path string) (note string, records []Record, err error) {
	in, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	refuse := func(format string, args ...any) (string, []Record, error) {
		return "", nil, fmt.Errorf("%s: %w: %s", path, ErrCorrupt, fmt.Sprintf(format, args...))
	}
	if len(in) < headSize+sha256.Size || string(in[:len(magic)]) != magic {
		return refuse("expected a file that begins with %s", magic)
	}
	head := in[len(magic):]
	if v := binary.LittleEndian.Uint16(head); v != version {
		return refuse("version %d, expected %d", v, version)
	}
	if size := binary.LittleEndian.Uint16(head[2:]); size != recordSize {
		return refuse("records of %d bytes, expected %d", size, recordSize)
	}
	count, length := int(binary.LittleEndian.Uint32(head[4:])), int(binary.LittleEndian.Uint32(head[8:]))
	if want := headSize + length + count*recordSize + sha256.Size; length > mostNote || len(in) != want {
		return refuse("%d bytes, expected %d for %d records", len(in), want, count)
	}
	body, sum := in[:len(in)-sha256.Size], in[len(in)-sha256.Size:]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return refuse("its checksum is %x, expected %x", got[:6], sum[:6])
	}
	note = string(body[headSize : headSize+length])
	records = make([]Record, count)
	for i := range records {
		records[i] = recordOf(body[headSize+length+i*recordSize:])
	}
	return note, records, nil
}
