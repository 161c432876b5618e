/** Keys of the inbox: `j` and `k` open the next and the previous conversation, `e` goes to the box for the answer. */

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWritten(event.target)) return;
  const entries = [...document.querySelectorAll<HTMLAnchorElement>('a[data-entry]')];
  if (entries.length === 0) return;
  if (event.key === 'e') {
    const answer = document.querySelector<HTMLTextAreaElement>('#answer');
    if (!answer) return;
    event.preventDefault();
    answer.focus();
    return;
  }
  const step = STEPS[event.key];
  if (step === undefined) return;
  const at = entries.findIndex((entry) => entry.getAttribute('aria-current') === 'true');
  const next = entries[at === -1 ? (step > 0 ? 0 : entries.length - 1) : at + step];
  if (next) window.location.assign(next.href);
});

export {};
