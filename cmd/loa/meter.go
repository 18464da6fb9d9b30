package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/linesofaction/loa"
	"github.com/linesofaction/loa/internal/bot"
	"github.com/linesofaction/loa/internal/coach"
	"github.com/linesofaction/loa/internal/live"
	"github.com/linesofaction/loa/internal/lobby"
	"github.com/linesofaction/loa/internal/match"
	"github.com/linesofaction/loa/internal/store"
	"github.com/linesofaction/loa/internal/web"
)

// meter is what a process counts of itself, for Prometheus and for the page of the moderators.
type meter struct {
	registry             *prometheus.Registry
	begun, moves, faults prometheus.Counter
	ended                *prometheus.CounterVec
	requests             *prometheus.HistogramVec
	commands, stored     prometheus.Histogram
	thoughts, answers    prometheus.Histogram
}

// Buckets of seconds: of what people wait for, and of thoughts.
var (
	waits = prometheus.ExponentialBuckets(0.0005, 2, 14) // to 4 s
	long  = prometheus.ExponentialBuckets(0.001, 2, 15)  // to 16 s
)

// newMeter returns a meter of a process and its database.
func newMeter(db *store.Store) *meter {
	m := &meter{
		registry: prometheus.NewRegistry(),
		begun:    prometheus.NewCounter(prometheus.CounterOpts{Name: "loa_games_begun_total", Help: "Games begun by this process."}),
		ended:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "loa_games_ended_total", Help: "Games ended by this process, by the reason."}, []string{"reason"}),
		moves:    prometheus.NewCounter(prometheus.CounterOpts{Name: "loa_moves_total", Help: "Moves stored by this process."}),
		faults:   prometheus.NewCounter(prometheus.CounterOpts{Name: "loa_faults_total", Help: "Requests that ended with a fault of the program or the database."}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "loa_request_seconds", Help: "How long pages and files took, by the pattern of their address.", Buckets: waits}, []string{"pattern"}),
		commands: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "loa_command_seconds", Help: "From a command of a player in a game to its acknowledgement.", Buckets: waits}),
		stored:   prometheus.NewHistogram(prometheus.HistogramOpts{Name: "loa_store_seconds", Help: "How long it took until what happened in a game was on disk.", Buckets: waits}),
		thoughts: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "loa_engine_seconds", Help: "How long the computer thought about a turn.", Buckets: long}),
		answers:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "loa_coach_seconds", Help: "How long a question to the coach waited and took.", Buckets: long}),
	}
	m.registry.MustRegister(m.begun, m.ended, m.moves, m.faults, m.requests, m.commands, m.stored, m.thoughts, m.answers,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("loa_store_queue", "Writes that wait for their turn.", func() float64 { return float64(db.Waiting()) })
	m.gauge("loa_store_connections_in_use", "Connections to the database at work.", func() float64 { return float64(db.Stats().InUse) })
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "loa_store_connections_waited_total", Help: "How often somebody waited for a connection to the database."}, func() float64 { return float64(db.Stats().WaitCount) }))
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "loa_build_info", Help: "1, with the version.", ConstLabels: prometheus.Labels{"version": versionText()}}, func() float64 { return 1 }))
	return m
}

func (m *meter) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// site adds what a process knows that serves pages.
func (m *meter) site(site *web.Server, db *store.Store) {
	m.gauge("loa_game_sockets", "Open sockets of games.", func() float64 { n, _ := site.Sockets(); return float64(n) })
	m.gauge("loa_lobby_sockets", "Open sockets of lobbies.", func() float64 { _, n := site.Sockets(); return float64(n) })
	m.gauge("loa_games_running", "Games between people under way in the whole club.", func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		n, err := db.CountRunning(ctx)
		if err != nil {
			return math.NaN()
		}
		return float64(n)
	})
}

// engines adds what the engine in its seats knows, and times its thoughts.
func (m *meter) engines(b *bot.Bot) {
	choose := b.Choose
	b.Choose = func(ctx context.Context, game *loa.Game, level int) (loa.Move, error) {
		began := time.Now()
		defer func() { m.thoughts.Observe(time.Since(began).Seconds()) }()
		return choose(ctx, game, level)
	}
	m.gauge("loa_engine_thinking", "Turns of the computer being thought about, or chosen and not yet due.", func() float64 { n, _ := b.Load(); return float64(n) })
	m.gauge("loa_engine_waiting", "Turns of the computer that wait for a processor.", func() float64 { _, n := b.Load(); return float64(n) })
	m.gauge("loa_engine_workers", "Turns that can be thought about at once.", func() float64 { return float64(b.Workers) })
}

// coach adds what the coach knows who answers here.
func (m *meter) coach(c *coach.Coach) {
	m.gauge("loa_coach_answering", "Questions to the coach that are being answered.", func() float64 { n, _ := c.Load(); return float64(n) })
	m.gauge("loa_coach_waiting", "Questions to the coach that wait for a processor.", func() float64 { _, n := c.Load(); return float64(n) })
}

// taught takes note of an answer of the coach to what was asked at an instant.
func (m *meter) taught(asked time.Time) { m.answers.Observe(time.Since(asked).Seconds()) }

// Request takes note of a page or a file.
func (m *meter) Request(pattern string, took time.Duration) {
	m.requests.WithLabelValues(pattern).Observe(took.Seconds())
}

// Command takes note of a command of a player.
func (m *meter) Command(took time.Duration) { m.commands.Observe(took.Seconds()) }

// Fault takes note of a fault.
func (m *meter) Fault() { m.faults.Inc() }

// metered is a store that counts what happens in games.
type metered struct {
	*store.Store
	meter *meter
}

// Append stores and counts entries.
func (s metered) Append(ctx context.Context, entries []match.Entry, summary live.Summary) error {
	began := time.Now()
	err := s.Store.Append(ctx, entries, summary)
	if err == nil {
		s.meter.stored.Observe(time.Since(began).Seconds())
		s.meter.happened(entries)
	}
	return err
}

// PairSeeks pairs and counts games.
func (s metered) PairSeeks(ctx context.Context, now time.Time, people []string, pair func([]lobby.Seeker) ([]live.NewMatch, error)) ([]live.NewMatch, error) {
	begun, err := s.Store.PairSeeks(ctx, now, people, pair)
	for _, m := range begun {
		s.meter.happened(m.Entries)
	}
	return begun, err
}

// TakeSeek begins and counts a game.
func (s metered) TakeSeek(ctx context.Context, now time.Time, seek, by lobby.Seeker, join func(seek, by lobby.Seeker) (live.NewMatch, error)) (live.NewMatch, error) {
	begun, err := s.Store.TakeSeek(ctx, now, seek, by, join)
	if err == nil {
		s.meter.happened(begun.Entries)
	}
	return begun, err
}

// TakeChallenge begins and counts a game.
func (s metered) TakeChallenge(ctx context.Context, id string, m live.NewMatch) error {
	err := s.Store.TakeChallenge(ctx, id, m)
	if err == nil {
		s.meter.happened(m.Entries)
	}
	return err
}

func (m *meter) happened(entries []match.Entry) {
	for _, entry := range entries {
		switch event := entry.Event.(type) {
		case match.Created:
			m.begun.Inc()
		case match.Moved:
			m.moves.Inc()
		case match.Ended:
			m.ended.WithLabelValues(event.Outcome.Reason.String()).Inc()
		}
	}
}

// figures returns what moderators read, of what is counted.
func (m *meter) figures() ([]web.Figure, error) {
	families, err := m.registry.Gather()
	if err != nil {
		return nil, err
	}
	named := map[string]*dto.MetricFamily{}
	for _, family := range families {
		named[family.GetName()] = family
	}
	var figures []web.Figure
	for _, f := range []struct {
		name, family, unit string
		share              float64 // of a histogram, the value below which so many are; 0 counts
	}{
		{"games", "loa_games_running", "", 0},
		{"begun", "loa_games_begun_total", "", 0},
		{"ended", "loa_games_ended_total", "", 0},
		{"moves", "loa_moves_total", "", 0},
		{"command", "loa_command_seconds", "s", 0.5},
		{"command99", "loa_command_seconds", "s", 0.99},
		{"store", "loa_store_seconds", "s", 0.5},
		{"store99", "loa_store_seconds", "s", 0.99},
		{"pages", "loa_request_seconds", "", 0},
		{"page", "loa_request_seconds", "s", 0.5},
		{"page99", "loa_request_seconds", "s", 0.99},
		{"faults", "loa_faults_total", "", 0},
		{"sockets", "loa_game_sockets", "", 0},
		{"lobbies", "loa_lobby_sockets", "", 0},
		{"queue", "loa_store_queue", "", 0},
		{"connections", "loa_store_connections_in_use", "", 0},
		{"thinking", "loa_engine_thinking", "", 0},
		{"turns", "loa_engine_waiting", "", 0},
		{"think", "loa_engine_seconds", "s", 0.5},
		{"questions", "loa_coach_waiting", "", 0},
		{"answer", "loa_coach_seconds", "s", 0.5},
		{"memory", "go_memstats_heap_inuse_bytes", "B", 0},
		{"goroutines", "go_goroutines", "", 0},
	} {
		if value, ok := sum(named[f.family], f.share); ok {
			figures = append(figures, web.Figure{Name: f.name, Value: value, Unit: f.unit})
		}
	}
	return figures, nil
}

// sum adds up a family of metrics, or finds the value below which a share of all that was measured lies, by straight
// lines within buckets. It reports false where nothing was measured.
func sum(family *dto.MetricFamily, share float64) (total float64, ok bool) {
	counts, bounds := map[float64]uint64{}, []float64{}
	var all uint64
	for _, m := range family.GetMetric() {
		total += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		all += m.GetHistogram().GetSampleCount()
		for _, bucket := range m.GetHistogram().GetBucket() {
			if _, known := counts[bucket.GetUpperBound()]; !known {
				bounds = append(bounds, bucket.GetUpperBound())
			}
			counts[bucket.GetUpperBound()] += bucket.GetCumulativeCount()
		}
	}
	if share == 0 {
		return total, family != nil && !math.IsNaN(total)
	}
	if all == 0 {
		return 0, false
	}
	wanted, below, under := share*float64(all), 0.0, 0.0
	for _, bound := range bounds { // of one family all buckets are the same, and in order
		if n := float64(counts[bound]); n >= wanted {
			return below + (bound-below)*(wanted-under)/(n-under), true
		}
		below, under = bound, float64(counts[bound])
	}
	return below, true
}

// checks returns how the parts are that a process needs.
func checks(db *store.Store, company web.Company) func(context.Context) []web.Check {
	return func(ctx context.Context) []web.Check {
		fault := db.Ready(ctx)
		behind := fault
		if !errors.Is(fault, store.ErrBehind) {
			behind = nil
		} else {
			fault = nil
		}
		parts := []web.Check{{Name: "database", Fault: fault, Vital: true}, {Name: "migrations", Fault: behind, Vital: true}}
		if company != nil {
			bus := web.Check{Name: "bus"} // not vital: meanwhile others are followed through the database
			if !company.Up() {
				bus.Fault = errors.New("the bus cannot be reached")
			}
			parts = append(parts, bus)
		}
		return parts
	}
}

// metricsServer answers at an address of its own: figures, health and readiness. It is nil without an address.
func metricsServer(address string, m *meter, parts func(context.Context) []web.Check, stopping context.Context) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics %q: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", web.Healthy)
	mux.HandleFunc("GET /readyz", web.Ready(parts, func() bool { return stopping.Err() != nil }))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	return func() { server.Close() }, nil
}
