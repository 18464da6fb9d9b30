// A choice that this browser remembers, shown as a checkbox.

export class Switch {
  #on;

  /** @param {string} id of the checkbox @param {string} key under which the browser remembers it @param {boolean} usual */
  constructor(id, key, usual) {
    this.input = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    this.#on = usual;
    try {
      this.#on = (localStorage.getItem(key) ?? (usual ? "on" : "off")) === "on";
    } catch {
      // A browser that keeps nothing has the usual choice.
    }
    if (!this.input) return;
    this.input.checked = this.#on;
    this.input.addEventListener("change", () => {
      this.#on = this.input?.checked ?? false;
      try {
        localStorage.setItem(key, this.#on ? "on" : "off");
      } catch {
        // Then it holds for this page only.
      }
    });
  }

  get on() {
    return this.#on;
  }
}
