// A button that copies the text of a field.

/** @param {HTMLElement} button @param {HTMLInputElement} field @param {string} done what the button says afterwards */
export function copies(button, field, done) {
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // where the page has no right to the clipboard, as over plain http
    }
    button.textContent = done;
  });
}
