// The messages of internal/wire, as the pages' scripts read and write them.
declare namespace Wire {
  type Color = "black" | "white";
  interface Rules {
    name: string; both: string; nomove: string; repetition: string; captures: string; goal: string;
    start: string; size: number; seed?: string; cap?: number;
  }
  interface Position { board: string; turn: Color; rays: string; moves: string[]; groups: Record<Color, string[][]> }
  interface Ply { move: string; board: string; groups: [number, number] }
  interface Seat { kind: "guest" | "member" | "engine"; name?: string; bot?: boolean; level?: number }
  interface Outcome { winner: Color | "none"; reason: string }
  interface Can { move: boolean; takeback: boolean; resign: boolean; abort?: boolean; draw?: boolean; rematch?: boolean; claimAfter?: number }
  interface Face { left: number; periods?: number; period?: boolean; delay?: number; lag?: number }
  interface Clock { control: string; running?: Color; black: Face; white: Face; first?: number }
  type Offer = "draw" | "takeback" | "rematch";
  interface Change {
    seq: number; position: Position; outcome?: Outcome; clock?: Clock; offers?: Partial<Record<Offer, Color>>; next?: string;
    can: Can; thinking: boolean; plies: Ply[];
  }
  interface Snapshot extends Change {
    v: number; type: "snapshot"; match: string; rules: Rules; seats: Record<Color, Seat>; you?: Color; start: Ply; rated?: boolean;
  }
  interface Update extends Change { v: number; type: "update"; match: string; from: number; keep: number }
  interface Ack { v: number; type: "ack"; client: string; seq: number }
  interface Refused { v: number; type: "refused"; client?: string; code: string; text: string; wait?: number }
  interface Leave { v: number; type: "leave" }
  interface Pong { v: number; type: "pong"; seq: number }
  interface Presence { v: number; type: "presence"; black: boolean; white: boolean; watching: number; away?: number }
  interface RatingChange { before: number; after: number }
  interface Ratings { v: number; type: "ratings"; match: string; black: RatingChange; white: RatingChange }
  interface Tried {
    v: number; type: "tried"; id?: number; puzzle: string; result: "right" | "solved" | "wrong" | "shown"; taken?: number; plies: Ply[]; position: Position;
    fault?: "loses" | "draws" | "late"; count?: number; rating?: RatingChange; streak?: number;
  }
  interface Hint { v: number; type: "hint"; ply: number; move: string; win?: number; threat?: number }
  interface Review { v: number; type: "review"; ply: number; move: string; best: string; missed?: number; allows?: number; win?: number; lost?: number }
  interface Threat { side: Color; plies: number; moves: string[] }
  interface Threats { v: number; type: "threats"; ply: number; other: Threat; own: Threat }
  type Room = "players" | "onlookers";
  interface Remark { n: number; name: string; bot?: boolean; seat?: Color; mine?: boolean; at: number; text?: string; preset?: string }
  interface Talk { v: number; type: "talk"; match: string; room: Room; whole?: boolean; muted?: boolean; blocked?: boolean; remarks: Remark[] }
  type Message = Snapshot | Update | Ack | Refused | Pong | Presence | Ratings | Talk;
  /** The socket adds the version. */
  interface Command {
    type: "move" | "takeback" | "draw" | "rematch" | "decline" | "resign" | "abort" | "claim" | "talk" | "mute" | "resume" | "ping";
    match: string; client?: string; ply: number; move?: string; offer?: Offer; draw?: boolean; seq?: number;
    room?: Room; text?: string; preset?: string; remark?: number; on?: boolean;
  }

  interface Seek {
    id?: string; days?: number; name: string; guest?: boolean; bot?: boolean; rating: number; provisional?: boolean; rules: string; control: string; rated?: boolean;
    color: Color | "none"; below?: number; above?: number; mine?: boolean; prospect?: "later" | "range" | "again";
  }
  interface Challenge { id: string; from: string; bot?: boolean; rules: string; control: string; rated?: boolean; mine?: boolean }
  interface Pool { rules: string; control: string; rated?: boolean; now?: number; later?: number; barred?: number }
  interface Lobby {
    v: number; type: "lobby"; online: number; seeking: number; playing: number; seeks: Seek[]; more?: number; pools?: Pool[];
    challenges: Challenge[]; games: string[]; awaited?: string[]; here?: string[]; bots?: string[];
  }
  interface Go { v: number; type: "go"; match: string }
  interface Unseek { v: number; type: "unseek" }
  type LobbyMessage = Lobby | Unseek | Go | Refused | Pong;
  interface LobbyCommand {
    type: "seek" | "unseek" | "take" | "ping"; id?: string; rules?: string; control?: string; rated?: boolean; color?: Color; below?: number; above?: number;
  }

  /** Asked of the engine in its worker. */
  interface Ask {
    v: number; type: "set" | "play" | "search" | "explain" | "try" | "stop"; rules?: string; start?: string; moves?: string[]; level?: number; seed?: number; fresh?: boolean;
    move?: string; id?: number; nodes?: number; depth?: number; time?: number; infinite?: boolean; lines?: number;
    puzzle?: string; solution?: string[]; show?: boolean;
  }
  interface Ready { v: number; type: "ready" }
  interface Standing { v: number; type: "standing"; plies: number; position: Position; outcome?: Outcome }
  interface Value { cp: number; win?: number }
  interface Thought extends Value { v: number; id: number; pv: string[]; depth: number; nodes: number; nps: number; time: number }
  interface Info extends Thought { type: "info"; line: number; seldepth: number }
  interface Best extends Thought { type: "best"; move: string }
  interface PlayedMove { move: string; best: string; before: Value; after: Value; lost: number; allows?: number }
  interface Explained { v: number; type: "explained"; id: number; ways: { black: number; white: number }; threat?: number; played?: PlayedMove }
  interface Wrong { v: number; type: "wrong"; id?: number; text: string }
  type Said = Ready | Standing | Info | Best | Explained | Tried | Wrong;
}
