// Starts the real program for a test, on a port and a data directory of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export class Club {
  /** Starts a club with an empty database. @param {string[]} options of the program */
  static async open(...options) {
    if (!process.env.LOA_BIN) throw new Error("LOA_BIN is not set; expected the path of the built program loa");
    const club = new Club();
    club.options = options;
    club.data = await mkdtemp(join(tmpdir(), "loa-e2e-"));
    await club.start("127.0.0.1:0");
    return club;
  }

  /** @param {string} address */
  async start(address) {
    this.process = spawn(process.env.LOA_BIN, ["serve", "--listen", address, "--data", this.data, "--pace", "0s", ...this.options], { stdio: ["ignore", "pipe", "pipe"] });
    this.log = "";
    this.process.stderr.on("data", (text) => (this.log += text));
    for await (const line of createInterface({ input: this.process.stdout })) {
      const ready = /^listening on (http:\S+)/.exec(line);
      if (!ready) continue;
      this.url = ready[1];
      return;
    }
    throw new Error(`loa serve did not start: ${this.log}`);
  }

  /** Ends the program the hard way. */
  async kill() {
    const gone = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await gone;
  }

  /** Starts it again on the same address and the same data. */
  async restart() {
    await this.start(new URL(this.url).host);
  }

  async close() {
    await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }
}
