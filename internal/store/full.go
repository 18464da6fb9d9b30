package store

import (
	"errors"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Full reports whether an error says that there is no room to write: then nothing of the transaction was stored, and the
// same succeeds when there is room again. A sync of the log that fails is not such an error.
func Full(err error) bool {
	var file *driver.Error
	var server *pgconn.PgError
	switch {
	case errors.As(err, &file):
		return file.Code()&0xff == sqlite3.SQLITE_FULL || file.Code() == sqlite3.SQLITE_IOERR_SHMSIZE
	case errors.As(err, &server):
		return server.Code == "53100"
	}
	return errors.Is(err, syscall.ENOSPC)
}
