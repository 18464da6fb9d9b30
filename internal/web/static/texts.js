// The page's texts in the reader's language. They come in a data block of the page, with the same
// placeholders and plurals the server uses.

/** @typedef {(key: string, values?: Record<string, string | number>) => string} Say */

/** Where this site begins: empty, or the path under which a proxy has it. */
const root = new URL(import.meta.url).pathname.split("/static/")[0];

/** The address of a page of this site. @param {string} path */
export const at = (path) => root + path;

/** Reads a JSON data block of the page. @param {string} id */
export function data(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

/**
 * Makes the function that says things: it fills {{.Name}} from the values, and picks the plural by Count, which is
 * written with the separators of the language.
 * @param {Record<string, string | Record<string, string>>} table
 * @param {string} language
 * @returns {Say}
 */
export function speaker(table, language) {
  const plural = new Intl.PluralRules(language), number = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const entry = table[key];
    if (entry === undefined) throw new Error(`no text for the key ${key}`);
    const text = typeof entry === "string" ? entry : entry[plural.select(Number(values.Count))] ?? entry.other;
    return text.replace(/\{\{\.(\w+)\}\}/g, (_, name) => name === "Count" ? number.format(Number(values.Count)) : String(values[name]));
  };
}

/** Turns text with *stressed* parts into nodes. @param {string} text @returns {Node[]} */
export function stressed(text) {
  return text.split("*").map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    const node = document.createElement("b");
    node.textContent = part;
    return node;
  });
}
