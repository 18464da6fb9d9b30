// The connection to one match, or to the lobby. It opens itself again when it is lost, later and later, and at once when the
// browser comes back; it goes over to another server when its own one leaves; and it asks now and then whether anything was missed.

const VERSION = 2; // of the messages this page can read
const SERVICE_RESTART = 1012; // the code of a server that stops and has told so: another is there, or soon will be
const SOON = 100; // milliseconds, after which a server that leaves has another in its place
const FIRST_WAIT = 400, PING_EVERY = 15_000, ANSWER_WITHIN = 8_000; // milliseconds

/** @template {{type: string}} Message @template {{type: string}} Command */
export class Socket {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {WebSocket | null} that is to take its place */
  #next = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #heard = 0;
  #over = false;
  #beats = 0;

  /**
   * @param {string} path of the socket
   * @param {object} on
   * @param {(message: Message) => void} on.message
   * @param {(open: boolean) => void} on.state
   * @param {() => void} on.beat time to ask for the stored number
   * @param {() => void} on.newer the server speaks a newer version, so the page must be loaded again
   * @param {number} [longest] milliseconds between two tries at most, a quarter more or less
   */
  constructor(path, on, longest = 10_000) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.url = url;
    this.on = on;
    this.longest = longest;
    this.#open();
    this.#beats = setInterval(() => this.#beat(), PING_EVERY);
    addEventListener("online", () => this.#now());
    addEventListener("pageshow", () => this.#now());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#now());
  }

  /** Sends a command; false when there is no connection to send it over. @param {Command} command */
  send(command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ ...command, v: VERSION }));
    return true;
  }

  /** Closes the connection for good. */
  close() {
    const socket = this.#socket;
    this.#over = true;
    this.#socket = null;
    this.#next?.close();
    clearTimeout(this.#timer);
    clearInterval(this.#beats);
    socket?.close();
  }

  #open() {
    this.#socket = this.#connect();
  }

  /** Opens another connection beside the one that is there, until it stands in its place. */
  #goOver() {
    const old = this.#socket;
    if (!old || this.#over || this.#next) return;
    this.#next = this.#connect();
    this.#next.addEventListener("close", () => {
      if (this.#socket !== old) return; // or the server's successor was not there yet
      this.#next = null;
      setTimeout(() => this.#goOver(), SOON);
    });
  }

  #connect() {
    const socket = new WebSocket(this.url);
    let first = true; // the server speaks first, and then the connection stands
    socket.addEventListener("message", (event) => {
      if (socket === this.#next) {
        const old = this.#socket;
        this.#socket = socket;
        this.#next = null;
        old?.close();
      }
      if (socket !== this.#socket) return;
      this.#heard = Date.now();
      this.#wait = FIRST_WAIT;
      const message = JSON.parse(event.data);
      if (message.v > VERSION) return this.#end();
      if (message.type === "leave") return this.#goOver();
      if (first) this.on.state(true);
      first = false;
      this.on.message(message);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket) return;
      if (event.code === SERVICE_RESTART) this.#wait = SOON;
      this.#lost();
    });
    return socket;
  }

  /** Says for good that this page cannot read what the server says. */
  #end() {
    this.close();
    this.on.newer();
  }

  #lost() {
    this.#socket = this.#next; // which may be on its way
    this.#next = null;
    this.on.state(false);
    if (this.#socket) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, this.longest);
  }

  /** Tries again at once if nothing is open. */
  #now() {
    if (this.#socket || this.#over) return;
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  #beat() {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const asked = Date.now();
    this.on.beat();
    setTimeout(() => {
      if (socket !== this.#socket || this.#heard >= asked) return;
      this.#lost();
      socket.close();
    }, ANSWER_WITHIN);
  }
}
