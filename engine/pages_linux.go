package engine

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of the pages asked for, so that probing a large table misses fewer address translations.
const hugePage = 2 << 20

// adviseHuge is MADV_HUGEPAGE.
const adviseHuge = 14

// spreadPages asks for huge pages below the buckets. Whether the system has them makes no difference but in speed.
func spreadPages(buckets []bucket) {
	size := len(buckets) * int(unsafe.Sizeof(bucket{}))
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&buckets[0])), size)
	skip := int(-uintptr(unsafe.Pointer(&buckets[0])) % hugePage)
	if size-skip < hugePage {
		return
	}
	_ = syscall.Madvise(memory[skip:skip+(size-skip)/hugePage*hugePage], adviseHuge)
}
