/** Copies a text to the clipboard where a page has a button for it; without a script there is no such button. */

function showButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[data-copy]') : null;
  if (!button) return;
  void navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(() => {
    button.textContent = button.dataset['copied'] ?? button.textContent;
  });
});
document.addEventListener('htmx:after:swap', showButtons);
showButtons();
