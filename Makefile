# make run     serve the club on a local port
# make check   the fast part of the tests: before every commit
# make test    everything that continuous integration runs
# make bench   speeds of this machine
# make chaos   games on a server that is killed again and again; CHAOS=long for five minutes

PORT ?= 8080
BIN := bin/loa
TOOL := go tool -modfile=tools/go.mod

.PHONY: run build check lint test e2e bench chaos clean

run: build
	$(BIN) serve --listen 127.0.0.1:$(PORT)

build:
	go build -o $(BIN) ./cmd/loa

lint:
	@unformatted=$$($(TOOL) gofumpt -l .); test -z "$$unformatted" || { echo "not formatted: $$unformatted"; exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...

check: lint
	go test ./...

test:
	scripts/test

e2e: build
	scripts/e2e

bench: build
	go test -run '^$$' -bench . -benchmem . ./engine
	$(BIN) bench

chaos: build
	$(BIN) chaos --time $(if $(filter long,$(CHAOS)),5m,30s)

clean:
	rm -rf bin e2e/node_modules e2e/test-results
