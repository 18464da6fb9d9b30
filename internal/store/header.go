package store

import (
	"encoding/binary"
	"fmt"
	"io"
)

// examineHeader reads the header of a SQLite file (the format is documented at sqlite.org/fileformat.html) and
// refuses a file that is empty, something else, or shorter than its header says. hasLog is whether a write-ahead
// log lies beside it.
func examineHeader(path string, file io.Reader, size int64, hasLog bool) error {
	const magic = "SQLite format 3\x00"
	if size == 0 {
		return fmt.Errorf("database %q is an empty file: restore it, or remove it to begin a new club", path)
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
	if id := binary.BigEndian.Uint32(header[68:]); id != applicationID && (id != 0 || !hasLog) {
		return fmt.Errorf("database %q is not one of this program: its application id is %#x, expected %#x", path, id, applicationID)
	}
	if pageSize < 512 || size < pages*pageSize {
		return fmt.Errorf("database %q is truncated: it has %d bytes, expected %d pages of %d", path, size, pages, pageSize)
	}
	return nil
}
