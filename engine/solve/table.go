package solve

import (
	"math/bits"
	"unsafe"
)

// infinite is the proof number of what is disproved and the disproof number of what is proved.
const infinite = 1 << 30

// entry is what the table knows of a position. It holds the position itself, so none is taken for another.
type entry struct {
	key
	proof, disproof uint32
	work            uint32 // nodes searched below it
	plies           uint16 // of a proved position: it is won within so many
	state           uint16 // see stateOf; 0 is no entry
}

// stateOf packs what a key leaves out: whether the side to move is the one that tries to win, and the plies left
// before the cap where there is one.
func stateOf(attacking bool, left int) uint16 {
	state := uint16(left+1) << 1
	if attacking {
		state |= 1
	}
	return state
}

// whiteAttacks is in the state of a position that Black is not to be taken for White in: keys know no colors.
const whiteAttacks = 1 << 15

// bucketSize entries are searched together.
const bucketSize = 4

// table is a transposition table of fixed size. A full bucket loses what was the cheapest to find out.
type table struct {
	buckets [][bucketSize]entry
}

func newTable(mib int) *table {
	return &table{make([][bucketSize]entry, max(1, mib<<20/int(bucketSize*unsafe.Sizeof(entry{}))))}
}

func (t *table) bucket(k key, state uint16) *[bucketSize]entry {
	i, _ := bits.Mul64(k.hash()^uint64(state)*0x9e3779b97f4a7c15, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns the entry of a position, nil when there is none.
func (t *table) probe(k key, state uint16) *entry {
	b := t.bucket(k, state)
	for i := range b {
		if e := &b[i]; e.state == state && e.key == k {
			return e
		}
	}
	return nil
}

// store keeps an entry in place of the one of the same position, or of the cheapest.
func (t *table) store(e entry) {
	b := t.bucket(e.key, e.state)
	worst := &b[0]
	for i := range b {
		old := &b[i]
		if old.state == e.state && old.key == e.key {
			if e.work += old.work; e.work < old.work {
				e.work = 1<<32 - 1
			}
			if old.disproof == infinite && e.disproof == infinite {
				e.plies = min(e.plies, old.plies)
			}
			*old = e
			return
		}
		if old.state == 0 || worst.state != 0 && old.work < worst.work {
			worst = old
		}
	}
	*worst = e
}

// forget drops what is known of a position.
func (t *table) forget(k key, state uint16) {
	if e := t.probe(k, state); e != nil {
		*e = entry{}
	}
}

// clear forgets everything.
func (t *table) clear() { clear(t.buckets) }
