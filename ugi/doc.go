// Package ugi speaks the Universal Game Interface, the line protocol between a game engine and whoever drives
// it: Serve is the engine's end, Client the driving end.
//
// The driver sends, one command a line:
//
//	ugi                                   who are you: id, option lines, ugiok
//	isready                               readyok, at once, also during a search
//	uginewgame                            forget the game before
//	setoption name NAME value VALUE       Rules, Eval, Hash, Threads, MultiPV, Level, Seed or Off
//	position startpos [moves M …]         the start of the rules
//	position fen BOARD b|w [moves M …]    a set-up position, as loa.ParseSetup reads it
//	go [movetime MS] [nodes N] [depth N] [infinite] [p1time MS p2time MS p1inc MS p2inc MS]
//	stop                                  end the search with what it has
//	query p1turn|gameover|result          response true|false|p1win|p2win|draw|none
//	quit
//
// and the engine answers a search with
//
//	info depth D [multipv K] seldepth N hashfull N wdl W D L score cp N|win N|loss N nodes N nps N time MS pv M …
//	bestmove M
//
// Hashfull is in thousandths of the table; wdl are wins, draws and losses of the side to move in a thousand games.
// Player one is Black. Scores are those of the side to move, wins and losses in plies. Moves are written c8c6,
// or pass; where a pass is forced, bestmove is pass. The end of the input is quit.
//
// Seed decides which of its moves a level plays: the same one always plays the same. Off lists techniques of the search not to
// use, split by commas, as engine.ParseTechniques reads them, or is none.
//
// Where the protocol leaves a choice:
//   - Setting Rules puts the start of the new rules on the board. The value is a rule set's name, optionally with
//     changed options, as loa.ParseRules reads it.
//   - go without a limit is go infinite. Several limits may be given; the first one reached ends the search.
//   - go on a finished game is answered by an info string and bestmove none, so that no driver waits in vain.
//   - A missing forced pass in a list of moves is inserted, with an info string.
//   - A line that cannot be read, or cannot be done, gets an info string that names the offending text and what
//     was expected, and changes nothing.
//   - During a search that has a limit, commands that need its end wait for it, so that a script can be piped in;
//     isready, stop and quit do not wait. During an infinite search they are refused.
//   - At the end of the input a search that has a limit is finished first; quit breaks it off. Both answer with
//     bestmove before the engine leaves.
package ugi
