/**
 * Listens for changes while a page is open, and lets htmx ask for the page again. A burst of changes leads to one
 * request. A page in the background waits until somebody looks at it, and one on which somebody fills in a form until
 * they are done, since what they have opened and typed would be lost.
 */

const QUIET_MS = 100;

const content = document.querySelector<HTMLElement>('[data-live]');
const address = content?.dataset['live'];

if (address !== undefined) {
  let waiting: number | undefined;
  let missed = false;
  const renew = () => {
    waiting = undefined;
    missed = document.hidden || isFilledIn();
    if (!missed) document.body.dispatchEvent(new CustomEvent('stayd:change'));
  };
  const renewMissed = () => {
    if (missed) renew();
  };
  new EventSource(address).addEventListener('change', () => {
    waiting ??= window.setTimeout(renew, QUIET_MS);
  });
  document.addEventListener('visibilitychange', renewMissed);
  document.addEventListener('focusout', () => window.setTimeout(renewMissed, QUIET_MS));
  // It does not bubble.
  document.addEventListener('toggle', renewMissed, true);
}

/** Returns true while a form that changes something is open, or has the focus; unless what is typed there stays. */
function isFilledIn(): boolean {
  const form = 'form[method="post"]:not([data-keeps])';
  const isOpen = document.querySelector(`main details[open] ${form}`) !== null;
  return isOpen || document.activeElement?.closest(`main ${form}`) != null;
}

export {};
