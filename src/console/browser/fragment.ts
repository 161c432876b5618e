/** Takes a one-time secret from the fragment of the address, which no server and no log ever sees, into its field. */

const field = document.querySelector<HTMLInputElement>('input[data-from-fragment]');
const secret = decodeURIComponent(window.location.hash.slice(1));

if (field && secret !== '') {
  field.value = secret;
  window.history.replaceState(null, '', window.location.pathname);
  document.querySelector<HTMLInputElement>('#login')?.focus();
}

export {};
