//go:build !js

package book

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Append writes a book behind b as a file.
func (b *Book) Append(file []byte) []byte {
	begin := len(file)
	file = fmt.Appendf(file, "%s\nrules %s\nnet %s\nnodes %d\nlines %d\npositions %d\n\n", magic, b.Rules, b.Net, b.Nodes, b.Lines, len(b.entries))
	for _, key := range slices.SortedFunc(maps.Keys(b.entries), Key.Compare) {
		entry := b.entries[key]
		file = binary.BigEndian.AppendUint64(file, uint64(key.Own))
		file = binary.BigEndian.AppendUint64(file, uint64(key.Other))
		file = append(file, byte(len(entry)))
		for _, m := range entry {
			file = binary.BigEndian.AppendUint16(file, uint16(m.Move))
			file = binary.BigEndian.AppendUint16(file, uint16(int16(m.Score)))
			file = binary.BigEndian.AppendUint16(file, uint16(int16(m.Value)))
		}
	}
	sum := sha256.Sum256(file[begin:])
	return append(file, sum[:]...)
}

// check holds a file against the sum at its end.
func check(file, sum []byte) error {
	if want := sha256.Sum256(file); !bytes.Equal(sum, want[:]) {
		return errors.New("the checksum is not that of the file: it was cut off or changed")
	}
	return nil
}
