package train

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/engine/nnue"
	"github.com/linesofaction/loa/internal/lab/datagen"
)

// sample is a record made ready.
type sample struct {
	black, white loa.Bitboard // for the patterns
	own, enemy   loa.Bitboard // of the side to move, one of the eight images
	bucket       int
	phase        float32
	sign         float32 // of Black's worth for the side to move
	target       float32
}

func trailing(b uint64) int { return bits.TrailingZeros64(b) }

// shards lists the shards of directories and of single files. The error names one that is there twice.
func shards(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if strings.HasSuffix(entry.Name(), ".shard") {
				files = append(files, filepath.Join(path, entry.Name()))
			}
		}
	}
	known := map[string]bool{}
	for _, file := range files {
		name := filepath.Clean(file)
		if known[name] {
			return nil, fmt.Errorf("%s: named twice, expected every shard once", file)
		}
		known[name] = true
	}
	return files, nil
}

// load reads shards of games on a board; every fortieth is kept apart. Positions under a threat are left out.
func load(files []string, size int, threats bool) (train, test []datagen.Record, err error) {
	for i, file := range files {
		_, records, err := datagen.ReadShard(file)
		if err != nil {
			return nil, nil, err
		}
		if got := edge(records); got != size && len(records) > 0 {
			return nil, nil, fmt.Errorf("%s: positions of a board of %d×%d, expected %d×%d", file, got, got, size, size)
		}
		for _, r := range records {
			switch {
			case r.Threat && !threats:
			case i%apart == apart-1:
				test = append(test, r)
			default:
				train = append(train, r)
			}
		}
	}
	return train, test, nil
}

const apart = 40

// edge returns the squares on an edge of the smallest board that has all pieces of a shard, in which some game will have
// used the last file or rank.
func edge(records []datagen.Record) (edge int) {
	var used loa.Bitboard
	for _, r := range records {
		used |= r.Black | r.White
	}
	for used != 0 {
		s := used.Pop()
		edge = max(edge, s.File()+1, s.Rank()+1)
	}
	return edge
}

// prepare makes one of the eight images of a record ready.
func (o *Options) prepare(g *nnue.Geometry, r *datagen.Record, symmetry int, x *sample) {
	x.black, x.white = r.Black, r.White
	x.own, x.enemy = g.Image(r.Black, symmetry), g.Image(r.White, symmetry)
	x.sign = 1
	if r.Turn == loa.White {
		x.own, x.enemy = x.enemy, x.own
		x.sign = -1
	}
	pieces := (r.Black | r.White).Count()
	x.bucket = g.Bucket(pieces)
	x.phase = float32(g.Phase(pieces)) / nnue.Phases
	x.target = o.target(r)
}
