/** Copies the text beside a button. Where the browser does not let it, the text is selected instead. */

const SHOWN_MS = 2_000;

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
  const code = button?.closest('figure')?.querySelector('code');
  if (button && code) void copy(button, code);
});

async function copy(button: HTMLElement, code: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    say(button, 'Copied');
  } catch {
    window.getSelection()?.selectAllChildren(code);
    say(button, 'Selected');
  }
}

function say(button: HTMLElement, text: string): void {
  button.textContent = text;
  window.setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}

export {};
