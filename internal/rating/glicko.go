// Package rating is Glicko-2, after Mark Glickman, "Example of the Glicko-2 system" (2013). It is pure: what a
// game changes follows from the two ratings before it, the result and the time since.
package rating

import (
	"math"
	"time"
)

// Rating is what is known of somebody's strength in one pool.
type Rating struct {
	Mean       float64 // points
	Deviation  float64 // points; the true strength is within twice this of Mean with 95 %
	Volatility float64 // how erratic results are
	Games      int
	Played     time.Time // the last rated game; zero for none
}

// The values a newcomer has, and the constants of the system.
const (
	StartMean       = 1500
	StartDeviation  = 350
	StartVolatility = 0.06

	scale       = 173.7178 // points in one unit of the internal scale
	tau         = 0.5      // how quickly volatility changes; Glickman suggests 0.3 to 1.2
	convergence = 1e-6

	leastDeviation = 45 // nobody is known better than this, so that a rating can always move
	// ProvisionalDeviation is where a rating is no longer marked as a guess: about ten games.
	ProvisionalDeviation = 110
	// period is the time after which an idle rating grows one volatility less certain. With it a well known
	// rating is provisional again after some two years.
	period = 5 * 24 * time.Hour
)

// New returns a newcomer's rating.
func New() Rating {
	return Rating{Mean: StartMean, Deviation: StartDeviation, Volatility: StartVolatility}
}

// Provisional reports whether the rating is still a guess.
func (r Rating) Provisional() bool { return r.Deviation > ProvisionalDeviation }

// Least returns the strength that the rating shows with all but certainty, never less than 0: that of a newcomer is little.
func (r Rating) Least() float64 { return max(0, r.Mean-2*r.Deviation) }

// At returns the rating as it stands at now, less certain by the time since the last game.
func (r Rating) At(now time.Time) Rating {
	if r.Played.IsZero() || !now.After(r.Played) {
		return r
	}
	periods := float64(now.Sub(r.Played)) / float64(period)
	phi := r.Deviation / scale
	r.Deviation = min(StartDeviation, scale*math.Sqrt(phi*phi+periods*r.Volatility*r.Volatility))
	return r
}

// Change is what a rated game made of a rating's mean.
type Change struct{ Before, After float64 }

// Result is one game of a rating period: the opponent's rating and the points won, 0 to 1.
type Result struct {
	Opponent Rating
	Points   float64
}

// Play returns both ratings after one game at now, in which the first won the given points, 1, ½ or 0. One game
// is one rating period.
func Play(a, b Rating, points float64, now time.Time) (Rating, Rating) {
	a, b = a.At(now), b.At(now)
	nextA := a.Period([]Result{{b, points}})
	nextB := b.Period([]Result{{a, 1 - points}})
	for _, next := range []*Rating{&nextA, &nextB} {
		next.Deviation = max(leastDeviation, next.Deviation)
		next.Played = now
	}
	return nextA, nextB
}

// Period returns the rating after the games of one rating period, by the steps of Glickman's paper. Without
// games only the deviation grows.
func (r Rating) Period(results []Result) Rating {
	// Step 2: to the internal scale.
	mu, phi, sigma := (r.Mean-StartMean)/scale, r.Deviation/scale, r.Volatility
	if len(results) == 0 {
		r.Deviation = scale * math.Sqrt(phi*phi+sigma*sigma)
		return r
	}
	// Steps 3 and 4: the variance of the games and the improvement they speak for.
	information, surprise := 0.0, 0.0
	for _, result := range results {
		muJ, phiJ := (result.Opponent.Mean-StartMean)/scale, result.Opponent.Deviation/scale
		g := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-muJ)))
		information += g * g * expected * (1 - expected)
		surprise += g * (result.Points - expected)
	}
	variance := 1 / information
	delta := variance * surprise
	// Step 5: the new volatility, by the Illinois algorithm.
	sigma = volatility(delta, phi, variance, sigma)
	// Steps 6 to 8: the new deviation and mean.
	star := phi*phi + sigma*sigma
	phi = 1 / math.Sqrt(1/star+1/variance)
	mu += phi * phi * surprise
	r.Mean, r.Deviation, r.Volatility = StartMean+scale*mu, scale*phi, sigma
	r.Games += len(results)
	return r
}

// volatility solves step 5.
func volatility(delta, phi, variance, sigma float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + variance + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, 0.0
	if delta*delta > phi*phi+variance {
		high = math.Log(delta*delta - phi*phi - variance)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		high = a - k*tau
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > convergence {
		middle := low + (low-high)*fLow/(fHigh-fLow)
		fMiddle := f(middle)
		if fMiddle*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = middle, fMiddle
	}
	return math.Exp(low / 2)
}

// Expected returns the points a is expected to win against b.
func Expected(a, b Rating) float64 {
	phi := math.Hypot(a.Deviation, b.Deviation) / scale
	g := 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi))
	return 1 / (1 + math.Exp(-g*(a.Mean-b.Mean)/scale))
}
