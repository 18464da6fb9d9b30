// Puzzles without network: every puzzle from the browser's own copy, and the rules and the engine in a worker to judge
// the moves as the server would. What is solved this way is not rated.

import { Engine } from "./engine.js";
import { at } from "./texts.js";

/** @typedef {{id: string, start: string, solution: string[], grade: number, themes: string[]}} Kept */

const KEY = "loa-away"; // the puzzles that were tried without network
const REACH = 12; // the number of puzzles nearest in grade among which chance chooses

export class Away {
  #engine = new Engine();

  /** @param {Kept[]} all */
  constructor(all) {
    this.all = all;
  }

  /** Finds the puzzles; this fails where the browser has no copy. */
  static async open() {
    const answer = await fetch(at("/puzzles/all"));
    if (!answer.ok) throw new Error(String(answer.status));
    return new Away(await answer.json());
  }

  /**
   * The puzzle that an address names, or else one of a grade that was not tried here before.
   * @param {Location} address
   * @param {number} fit the grade
   * @param {Record<string, string>} days the puzzles of the day, by date
   * @returns {{puzzle: Kept, daily: boolean}}
   */
  choose({ pathname, search }, fit, days) {
    const name = pathname.split("/").pop() ?? "", today = days[new Date().toISOString().slice(0, 10)];
    const asked = this.all.find(({ id }) => id === (name === "daily" ? today : name));
    if (asked) return { puzzle: asked, daily: name === "daily" };
    const tried = new Set([...remembered(), new URLSearchParams(search).get("after") ?? ""]);
    const fresh = this.all.filter(({ id }) => !tried.has(id));
    const nearest = (fresh.length ? fresh : [...this.all]).sort((a, b) => Math.abs(a.grade - fit) - Math.abs(b.grade - fit)).slice(0, REACH);
    return { puzzle: nearest[Math.floor(Math.random() * nearest.length)], daily: false };
  }

  /**
   * Judges moves in a puzzle, none for how it begins, or shows the solution.
   * @param {string} id
   * @param {string[]} moves
   * @param {boolean} [show]
   * @returns {Promise<Wire.Tried>}
   */
  async judge(id, moves, show = false) {
    const puzzle = this.all.find((one) => one.id === id);
    if (!puzzle) throw new Error(`no puzzle ${id}`);
    const tried = await this.#engine.judge({ puzzle: id, start: puzzle.start, solution: puzzle.solution, moves, show });
    if (show || moves.length && tried.result !== "right") remember(id);
    return tried;
  }
}

/** @returns {string[]} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return []; // storage is closed to pages, or holds something else
  }
}

/** @param {string} id */
function remember(id) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...remembered(), id])]));
  } catch {
    // then it may come again
  }
}
