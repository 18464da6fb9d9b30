# make run     serve the club on a local port
# make engine  the engine for the browser, which the pages offer only when it is there; part of build
# make check   the fast part of the tests: before every commit
# make test    everything that continuous integration runs
# make bench   speeds of this machine
# make wasm-bench  the browser's engine against the same without assembly, at fixed nodes
# make pagespeed  how soon pages can be used on a slow telephone, and what they weigh
# make shots   pictures of the main pages in bin/shots; LANGUAGE=en
# make levels  games between neighboring levels: GAMES=400 for each pair, RULES=standard
# make chaos   games on a server that is killed again and again; CHAOS=long for five minutes
# make cut     games on several processes while each part of them is cut off in turn; CUT=long for five minutes
# make load    games on two processes with PostgreSQL and NATS beside one with SQLite; LOAD="-games 200 -pace 1s -sockets 2000"
# make release  static binaries for every system, with checksums, in dist/; VERSION=v1.2.3 is stamped in

PORT ?= 8080
BIN := bin/loa
TOOL := go tool -modfile=tools/go.mod
ENGINE := internal/web/static/engine
ENGINE_SOURCES := go.mod tools/pack/main.go $(shell find *.go engine internal/coach internal/puzzle internal/wire cmd/wasm -name '*.go' ! -name '*_test.go') \
	$(wildcard engine/nnue/*.net engine/book/*.book engine/weights/*)

SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
VERSION ?= $(shell git describe --tags --always --dirty)

.PHONY: run build engine check lint test e2e bench wasm-bench pagespeed shots levels chaos cut load release clean

run: build
	$(BIN) serve --listen 127.0.0.1:$(PORT)

build: engine
	go build -o $(BIN) ./cmd/loa

engine: $(ENGINE)/loa.wasm.br

# The nets and the book that it fetches are beside it. Packed, for that is how it travels: compressing 4 MB well takes half a minute, which no start of the server should.
$(ENGINE)/loa.wasm.br: $(ENGINE_SOURCES)
	mkdir -p $(ENGINE)
	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o bin/loa.wasm ./cmd/wasm
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(ENGINE)/
	for file in nnue/no-capture.net nnue/six.net book/standard.book; do go run -C tools ./pack $(CURDIR)/engine/$$file $(CURDIR)/$(ENGINE) || exit 1; done
	go run -C tools ./pack $(CURDIR)/bin/loa.wasm $(CURDIR)/$(ENGINE)

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

wasm-bench:
	GODEBUG=cpu.avx2=off go test -run '^$$' -bench . -benchtime 5x ./cmd/wasm

pagespeed: build
	@scripts/need-browser
	cd e2e && LOA_BIN=$(CURDIR)/$(BIN) node pagespeed.js

shots: build
	@scripts/need-browser
	cd e2e && LOA_BIN=$(CURDIR)/$(BIN) node shots.js $(CURDIR)/bin/shots $(LANGUAGE)

levels: build
	@for n in 1 2 3 4 5 6 7 8 9; do \
		echo "$$((n + 1)) against $$n: $$($(BIN) duel --a level=$$((n + 1)) --b level=$$n --games $(or $(GAMES),400) --rules $(or $(RULES),standard) --json)" || exit 1; \
	done

chaos: build
	$(BIN) chaos --time $(if $(filter long,$(CHAOS)),5m,25s)

# A test, so that the program does not carry the servers it is tried with.
cut:
	@scripts/need-postgres || { echo "cut was skipped: it needs PostgreSQL" >&2; exit 1; }
	go test ./cmd/loa -count=1 -timeout 20m -run '^Test(Cut|RollingRestart)$$' -v -cut $(if $(filter long,$(CUT)),5m,1m)

load:
	@scripts/need-postgres || { echo "load was skipped: it needs PostgreSQL" >&2; exit 1; }
	go test ./cmd/loa -count=1 -timeout 20m -run '^TestLoadTries' -v -load 5s $(or $(LOAD),-games 50 -runs 3)

release: engine
	rm -rf dist && mkdir dist
	@set -e; for system in $(SYSTEMS); do \
		os=$${system%/*} arch=$${system#*/}; file=dist/loa-$(VERSION)-$$os-$$arch; \
		test $$os = windows && file=$$file.exe; echo $$file; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$(VERSION)" -o $$file ./cmd/loa; \
	done
	cd dist && sha256sum loa-* >SHA256SUMS

clean:
	rm -rf bin dist $(ENGINE) e2e/node_modules e2e/test-results
