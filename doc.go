// Package loa is the rules of Lines of Action: boards, moves, rule sets, and games from the first move to the
// last. It imports the standard library only and keeps no state of its own.
//
// # The rules
//
// The clauses are numbered so that code and tests can cite them.
//
//  1. The board is square, 8×8 unless the rules say otherwise, from 4×4 to 8×8. Files are a, b, c… from the
//     left, ranks 1, 2, 3… from the bottom.
//  2. Two sides play, Black and White. Black moves first. A board may be painted in other colors; the first
//     player is Black here all the same.
//  3. A turn moves exactly one piece of one's own, straight along its file, its rank or one of its two diagonals,
//     either way.
//  4. The piece moves exactly as many squares as there are pieces of both sides on the whole of that line, from
//     edge to edge and itself included, before it moves.
//  5. It may pass over pieces of its own side, never over an enemy piece.
//  6. It lands on an empty square or on an enemy piece, which is captured and leaves the board, but not on a piece
//     of its own side. Under "captures=no" it lands on empty squares only.
//  7. Pieces of one side that touch along an edge or at a corner belong to one group. A side whose pieces are all
//     in one group is connected, so a side with a single piece is connected too.
//  8. The game ends at once when a move connects either side, and the side that is connected wins, also when
//     it was the opponent's capture that connected it.
//  9. When one move connects both sides the game is a draw, or under "both=mover" the mover wins; the reason is
//     both-connected either way.
//  10. Under "goal=misere" the side that is connected loses. When both are, the game is a draw, or under
//     "both=mover" the mover loses.
//  11. A position may be set up by hand, up to a full board, with at least one piece for each side. It is judged
//     like any other, the side that is not to move being the mover: one in which a side is connected is finished.
//  12. A side that has no legal move must pass, and may pass only then. A pass is a ply like any other.
//     Under "nomove=loss" that side loses instead, and under "nomove=draw" the game is a draw.
//  13. When neither side has a move the game is a draw, except under "nomove=loss".
//  14. The third time the same board stands with the same side to move the game is a draw; the second time under
//     "repetition=draw2", never under "repetition=none". The start counts as a first time.
//  15. Under "cap=N" a game that is still open after N plies is a draw. A move by which the board decides the game
//     counts as that, whatever clauses 14 and 15 say of the same ply.
//  16. The standard start has Black on the top and bottom edges and White on the left and right ones, the corners
//     empty. Starts "scrambled" and "scrambled-b" alternate the colors around the edge of the 8×8 board, "six"
//     has six pieces a side on 6×6, "random" scatters the pieces of the standard start from a seed so that
//     the game is not over before it begins, and "custom" is any set-up position.
//
// # What the package offers
//
// Game plays by all of the clauses. Position is a single position under those rules that bear on one, a small value
// to copy and search with; Setup is an arrangement that may be impossible, and Setup.Position says everything that
// is wrong with it. Rules holds the options, and ParseRules reads "standard:both=mover,repetition=none".
//
// For teaching, Position.Ray says how far a piece goes in a direction, where that leads and what is in its way,
// Position.Groups which pieces hold together, and Position.Check why a move is not legal. For engines there are
// forms without checks, named so: MovesUnchecked, PlayUnchecked. Perft and Divide count paths of moves, and
// Playout plays at random.
//
// Text that cannot be read is ErrSyntax, a move that cannot be played ErrIllegal, an arrangement that cannot
// be a position ErrSetup.
package loa
