package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// terms say what a training is of. One that is broken off goes on only under the same.
type terms struct {
	Start                        string // name of the net
	Shards, Positions            int
	Hidden, Samples, Batch       int
	Rate, Decay, Share, Discount float64
	Threats                      bool
	Seed                         uint64
}

// A state is what a training that was broken off goes on from: a line of JSON with the terms, the number of steps
// done (64 bits), the numbers of the model and of the optimizer, and a SHA-256 of everything before it.

// save writes the state to a file.
func (t *trainer) save(path string, of terms, steps int) error {
	line, err := json.Marshal(of)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.Write(append(line, '\n'))
	for _, part := range []any{int64(steps), t.model.all, t.adam.mean, t.adam.square} {
		// a buffer takes everything
		_ = binary.Write(&out, binary.LittleEndian, part)
	}
	sum := sha256.Sum256(out.Bytes())
	out.Write(sum[:])
	return replace(path, out.Bytes())
}

// resume reads the state from a file, if there is one, and returns the number of steps done.
func (t *trainer) resume(path string, of terms) (steps int, err error) {
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	body, sum := file[:max(len(file)-sha256.Size, 0)], file[max(len(file)-sha256.Size, 0):]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return 0, fmt.Errorf("%s: its checksum is wrong, expected the state of a training; remove it to begin anew", path)
	}
	line, rest, _ := bytes.Cut(body, []byte("\n"))
	var old terms
	if err := json.Unmarshal(line, &old); err != nil || old != of {
		return 0, fmt.Errorf("%s: the state of another training, %s; remove it to begin anew", path, line)
	}
	in := bytes.NewReader(rest)
	var done int64
	for _, part := range []any{&done, t.model.all, t.adam.mean, t.adam.square} {
		if err := binary.Read(in, binary.LittleEndian, part); err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	t.adam.step = int(done)
	return int(done), nil
}

// replace writes a file that is there only when it is whole.
func replace(path string, content []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}
