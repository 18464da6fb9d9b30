// Package sgf reads and writes records of games of Lines of Action: the Smart Game Format with GM[9], in its
// standard form and in the dialects of Boardspace and PlayStrategy, plain lists of moves, and this project's own
// JSON.
//
// Parse tells the form from the content, reads every game of a file, and replays each by its rules, so a Record
// that it returns holds legal moves only. Reading is lenient: what is not quite right but has one sensible
// meaning is taken in that meaning and reported as a Warning; strict reading makes each of them an error. The
// leniencies are listed at Parse and at the reader of each form. Encode writes any of the three forms, and
// whatever was read can be written in each and read back as the same Record.
package sgf
