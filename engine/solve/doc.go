// Package solve proves what positions are worth: who wins by force, or that neither side can.
//
// The method is depth-first proof-number search (Nagai, 2002). A position has a proof number, the least number of
// positions that would have to be proved to prove that the attacker wins from it, and a disproof number likewise.
// The search always works where these are smallest, as long as they stay below thresholds that its
// parent sets. Two such searches take turns, one for each side as the attacker.
// A draw is proved when neither can win.
//
// # Repetition
//
// A position that is on the path already counts as not proved. That keeps proofs sound, whatever the rules of
// repetition. A win that can be forced at all can be forced without ever coming back to a position: a position proved
// within n plies rests on positions proved within fewer, so a path through a proof has no position
// twice. Only positions that stood in the game before can come again on it; those that would be drawn are never
// proved, and then positions are not taken for their images, for the game has not had the images.
//
// A disproof that rests on a repetition may be wrong on another path, for the table knows no paths. So a
// disproof is believed only when it has been collected: a set of positions in which the defender always has a move
// after which every reply stays in the set or ends the game without its loss. Where the collecting
// fails, it finds out which positions are lost after all.
//
// With a ply cap near enough to matter, positions are told apart by the plies that are left; then no path comes back
// to anything, and proofs and disproofs are exact as they are.
package solve
