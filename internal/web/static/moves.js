// The list of moves, and the buttons and keys that step through it.

/** @typedef {import("./texts.js").Say} Say */

export class MoveList {
  #looking = 0;
  #count = 0;

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} step the four buttons
   * @param {(move: string) => string} pretty
   * @param {(count: number) => void} look shows the board as it stood after so many plies
   */
  constructor(list, step, pretty, look) {
    this.list = list;
    this.step = step;
    this.pretty = pretty;
    list.addEventListener("click", (event) => {
      const ply = /** @type {HTMLElement} */ (event.target).dataset.ply;
      if (ply) look(Number(ply));
    });
    step.addEventListener("click", (event) => {
      const to = this.#target(/** @type {HTMLElement} */ (event.target).closest("[data-step]")?.getAttribute("data-step") ?? "");
      if (to !== undefined) look(to);
    });
    addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || !(target === document.body || target.closest(".g-m"))) return;
      const to = this.#target({ ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key] ?? "");
      if (to === undefined) return;
      event.preventDefault();
      look(to);
    });
  }

  /** @param {string} step @returns {number | undefined} */
  #target(step) {
    return { first: 0, prev: this.#looking - 1, next: this.#looking + 1, last: this.#count }[step];
  }

  /** @param {Wire.Ply[]} plies @param {number} looking how many of them the board shows @param {boolean} [late] White began */
  show(plies, looking, late = false) {
    const { list } = this, items = [];
    this.#looking = looking;
    this.#count = plies.length;
    for (let first = late ? -1 : 0; first < plies.length; first += 2) {
      const item = document.createElement("li"), number = document.createElement("span");
      item.className = "mv num";
      number.textContent = String(Math.ceil(first / 2) + 1);
      const skipped = document.createElement("span");
      skipped.textContent = "…";
      const begin = Math.max(first, 0);
      item.append(number, ...(first < 0 ? [skipped] : []), ...plies.slice(begin, first + 2).map(({ move }, i) => {
        const button = document.createElement("button"), count = begin + i + 1;
        button.type = "button";
        button.dataset.ply = String(count);
        button.textContent = this.pretty(move);
        button.tabIndex = count === looking ? 0 : -1;
        button.ariaCurrent = count === looking ? "true" : null;
        return button;
      }));
      items.push(item);
    }
    const inside = list.contains(document.activeElement);
    list.replaceChildren(...items);
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
    if (inside) current?.focus({ preventScroll: true });
    if (current) {
      const box = list.getBoundingClientRect(), at = current.getBoundingClientRect();
      list.scrollTop += at.bottom > box.bottom ? at.bottom - box.bottom : Math.min(0, at.top - box.top);
      list.scrollLeft += at.right > box.right ? at.right - box.right : Math.min(0, at.left - box.left);
    } else list.scrollTop = list.scrollLeft = 0;
    const bounds = { first: 0, prev: 0, next: plies.length, last: plies.length };
    for (const [name, end] of Object.entries(bounds)) {
      const button = this.step.querySelector(`[data-step=${name}]`);
      if (button) button.ariaDisabled = String(looking === end);
    }
  }
}
