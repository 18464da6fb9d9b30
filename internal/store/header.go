package store

import (
	"encoding/binary"
	"fmt"
	"io"
)

// examineHeader reads the header of a SQLite file (the format is documented at sqlite.org/fileformat.html) and
// refuses a file that is empty, something else, or shorter than its header says. log is the write-ahead log beside
// it, nil for none: whoever was killed while folding it into the file left pages that stand in the log alone.
func examineHeader(path string, file io.Reader, size int64, log io.ReaderAt) error {
	const magic = "SQLite format 3\x00"
	if size == 0 {
		return fmt.Errorf("database %q is an empty file, %w: restore it, or remove it to begin a new club", path, errUnsigned)
	}
	header := make([]byte, 100)
	if _, err := io.ReadFull(file, header); err != nil || string(header[:len(magic)]) != magic {
		return fmt.Errorf("database %q is not a SQLite file, expected it to begin with %q", path, magic[:15])
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 {
		pageSize = 65536
	}
	pages := int64(binary.BigEndian.Uint32(header[28:]))
	// an id of 0 may be one that still stands in the write-ahead log of a database that was never closed
	if id := binary.BigEndian.Uint32(header[68:]); id != applicationID && (id != 0 || log == nil) {
		return fmt.Errorf("database %q is %w: its application id is %#x, expected %#x", path, errUnsigned, id, applicationID)
	}
	truncated := fmt.Errorf("database %q is truncated: it has %d bytes, expected %d pages of %d", path, size, pages, pageSize)
	if pageSize < 512 {
		return truncated
	}
	if size >= pages*pageSize {
		return nil
	}
	logged := loggedPages(log, pageSize)
	for page := size/pageSize + 1; page <= pages; page++ {
		if !logged[uint32(page)] {
			return truncated
		}
	}
	return nil
}

// loggedPages returns the numbers of the pages that a write-ahead log holds for good: those up to the last frame
// that ends a transaction. What a page says is for SQLite to check.
func loggedPages(log io.ReaderAt, pageSize int64) map[uint32]bool {
	const headerSize, frameHeaderSize = 32, 24
	held := map[uint32]bool{}
	header := make([]byte, headerSize)
	if log == nil {
		return held
	}
	if _, err := log.ReadAt(header, 0); err != nil || int64(binary.BigEndian.Uint32(header[8:])) != pageSize {
		return held
	}
	salts := string(header[16:24])
	var open []uint32
	frame := make([]byte, frameHeaderSize)
	for at := int64(headerSize); ; at += frameHeaderSize + pageSize {
		if _, err := log.ReadAt(frame, at); err != nil || string(frame[8:16]) != salts {
			return held // the end, or what an earlier use of the log left
		}
		open = append(open, binary.BigEndian.Uint32(frame))
		if ends := binary.BigEndian.Uint32(frame[4:]) != 0; !ends {
			continue
		}
		for _, page := range open {
			held[page] = true
		}
		open = open[:0]
	}
}
