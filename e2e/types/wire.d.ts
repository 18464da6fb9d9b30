// The messages of internal/wire, as the pages' scripts read and write them.
declare namespace Wire {
  type Color = "black" | "white";
  interface Rules {
    name: string; both: string; nomove: string; repetition: string; captures: string; goal: string;
    start: string; size: number; seed?: string; cap?: number;
  }
  interface Ray { n: number; to?: string; v: "move" | "capture" | "off-board" | "own-piece" | "blocked" | "no-capture"; by?: string }
  interface Position { board: string; turn: Color; rays: Record<string, Ray[]>; moves: string[]; groups: Record<Color, string[][]> }
  interface Ply { move: string; board: string; groups: [number, number] }
  interface Seat { kind: "guest" | "engine"; name?: string; level?: number }
  interface Outcome { winner: Color | "none"; reason: string }
  interface Can { move: boolean; takeback: boolean; resign: boolean }
  interface Change { seq: number; position: Position; outcome?: Outcome; can: Can; thinking: boolean; plies: Ply[] }
  interface Snapshot extends Change {
    v: number; type: "snapshot"; match: string; rules: Rules; seats: Record<Color, Seat>; you?: Color; start: Ply;
  }
  interface Update extends Change { v: number; type: "update"; match: string; from: number; keep: number }
  interface Ack { v: number; type: "ack"; client: string; seq: number }
  interface Refused { v: number; type: "refused"; client?: string; code: string; text: string }
  interface Pong { v: number; type: "pong"; seq: number }
  type Message = Snapshot | Update | Ack | Refused | Pong;
  interface Command { v: number; type: "move" | "takeback" | "resign" | "resume" | "ping"; match: string; client?: string; ply: number; move?: string; seq?: number }
}
