package engine

import (
	"math/bits"
	"sync/atomic"

	"github.com/linesofaction/loa"
)

// bound says on which side of the true value a stored score lies.
type bound uint8

const (
	boundNone  bound = iota
	boundUpper       // the value is at most the score
	boundLower       // at least
	boundExact
)

// entry is what the table knows of a position, unpacked.
type entry struct {
	move  loa.Move // best or refuting move, NoMoveMade when none
	score int      // with forced ends counted from the position itself
	depth int
	bound bound
}

// pack fits an entry into a word: move 12 bits, score 16, depth 8, bound 2, age 6.
func (e entry) pack(age uint8) uint64 {
	return uint64(e.move)&0xfff | uint64(uint16(e.score))<<12 |
		uint64(uint8(e.depth))<<28 | uint64(e.bound)<<36 | uint64(age&63)<<38
}

func unpack(data uint64) entry {
	return entry{
		move:  loa.Move(data & 0xfff),
		score: int(int16(data >> 12)),
		depth: int(uint8(data >> 28)),
		bound: bound(data >> 36 & 3),
	}
}

// slot holds an entry and, mixed with it, the hash it belongs to. Threads write slots without a lock: a slot
// torn between two writers matches neither hash and is no entry.
type slot struct {
	check atomic.Uint64 // hash ^ data
	data  atomic.Uint64
}

// bucketSize slots fill one cache line and are searched together.
const bucketSize = 4

type bucket [bucketSize]slot

// table is a transposition table of fixed size. It is safe for use by several threads.
type table struct {
	buckets []bucket
	age     uint8 // of the search now, so that older entries give way
}

// newTable returns a table that takes the given number of MiB.
func newTable(mib int) *table {
	t := &table{buckets: make([]bucket, mib<<20/(16*bucketSize))}
	spreadPages(t.buckets)
	return t
}

// clear forgets everything. No search may be running.
func (t *table) clear() {
	clear(t.buckets)
	t.age = 0
}

// bucket returns where a hash belongs: the high bits choose, so any number of buckets will do.
func (t *table) bucket(hash uint64) *bucket {
	i, _ := bits.Mul64(hash, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns the entry of a hash, and whether there is one.
func (t *table) probe(hash uint64) (entry, bool) {
	b := t.bucket(hash)
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == hash && data != 0 {
			return unpack(data), true
		}
	}
	return entry{}, false
}

// store keeps an entry in place of the one for the same hash, or of the shallowest, older ones first.
func (t *table) store(hash uint64, e entry) {
	b := t.bucket(hash)
	worst, least := 0, 1<<30
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == hash {
			old := unpack(data)
			if e.move == loa.NoMoveMade {
				e.move = old.move
			}
			// a much deeper result of this search is worth more than a shallow bound
			if e.bound != boundExact && old.depth > e.depth+3 && uint8(data>>38)&63 == t.age&63 {
				return
			}
			worst = i
			break
		}
		value := 0
		if data != 0 {
			value = 1 + int(uint8(data>>28)) - 8*int((t.age-uint8(data>>38))&63)
		} else {
			value = -1 << 20
		}
		if value < least {
			worst, least = i, value
		}
	}
	data := e.pack(t.age)
	b[worst].check.Store(hash ^ data)
	b[worst].data.Store(data)
}

// full returns how full the table is of entries of this search, in thousandths, from a sample.
func (t *table) full() int {
	used, seen := 0, 0
	for i := range t.buckets[:min(len(t.buckets), 250)] {
		for j := range t.buckets[i] {
			seen++
			if data := t.buckets[i][j].data.Load(); data != 0 && uint8(data>>38)&63 == t.age&63 {
				used++
			}
		}
	}
	return used * 1000 / seen
}
