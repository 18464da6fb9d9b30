package web

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of a password: argon2id with 19 MiB, two passes and one lane, the least that OWASP's cheat sheet on
// password storage recommends, about 50 ms of one core.
const (
	argonMemory = 19 * 1024 // KiB
	argonPasses = 2
	argonLanes  = 1
	saltBytes   = 16
	sumBytes    = 32
)

// hasher hashes passwords, a few at a time, so that a flood of logins cannot take all memory.
type hasher struct{ places chan struct{} }

// hashesAtOnce bounds the memory of hashing to about 40 MiB.
const hashesAtOnce = 2

func newHasher() *hasher { return &hasher{make(chan struct{}, hashesAtOnce)} }

// enter waits for a place.
func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hash returns the stored form of a password, as the PHC string format has it.
func (h *hasher) hash(ctx context.Context, password string, random io.Reader) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer func() { <-h.places }()
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(random, salt); err != nil {
		return "", fmt.Errorf("reading randomness: %w", err)
	}
	sum := argon2.IDKey([]byte(password), salt, argonPasses, argonMemory, argonLanes, sumBytes)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonLanes, encode(salt), encode(sum)), nil
}

// matches reports in constant time whether a password has a stored form. The same work is done for an empty form,
// which no password has, so that the time does not tell whether somebody exists.
func (h *hasher) matches(ctx context.Context, password, stored string) (bool, error) {
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer func() { <-h.places }()
	if stored == "" {
		argon2.IDKey([]byte(password), make([]byte, saltBytes), argonPasses, argonMemory, argonLanes, sumBytes)
		return false, nil
	}
	var version, memory, passes, lanes int
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("stored password of an unknown kind, expected argon2id")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &passes, &lanes); err != nil || version != argon2.Version {
		return false, fmt.Errorf("stored password with parameters %q and %q", parts[2], parts[3])
	}
	salt, errSalt := base64.RawStdEncoding.DecodeString(parts[4])
	want, errSum := base64.RawStdEncoding.DecodeString(parts[5])
	if errSalt != nil || errSum != nil {
		return false, fmt.Errorf("stored password that is not base64")
	}
	got := argon2.IDKey([]byte(password), salt, uint32(passes), uint32(memory), uint8(lanes), uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}
