//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in a worker of the browser: build it with GOOS=js GOARCH=wasm, as make does")
	os.Exit(2)
}
