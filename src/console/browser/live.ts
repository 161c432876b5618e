/**
 * Listens for changes while a page is open, and lets htmx ask for the page again. A burst of changes leads to one
 * request; a page in the background waits until somebody looks at it.
 */

const QUIET_MS = 100;

const content = document.querySelector<HTMLElement>('[data-live]');
const address = content?.dataset['live'];

if (address !== undefined) {
  let waiting: number | undefined;
  const renew = () => {
    waiting = undefined;
    if (document.hidden) return;
    document.body.dispatchEvent(new CustomEvent('stayd:change'));
  };
  let missed = false;
  new EventSource(address).addEventListener('change', () => {
    missed ||= document.hidden;
    waiting ??= window.setTimeout(renew, QUIET_MS);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !missed) return;
    missed = false;
    renew();
  });
}

export {};
