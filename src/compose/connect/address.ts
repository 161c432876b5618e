import { isOfOwnCore } from '../../core/accounts/connections.ts';
import { UsageError } from '../../kernel/errors.ts';
import { HEADER_VALUE } from '../../kernel/signature.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/;

/**
 * Completes an address: the default scheme is https, and http on this machine; everything after the path is removed.
 * @throws UsageError if the text is no address
 */
export function addressOf(text: string): string {
  const given = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given)
    ? given
    : `${LOOPBACK.test(given) ? 'http' : 'https'}://${given}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || given === '' || /\s/.test(given) || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`url: "${text}" is no address`, 'such as https://rentals.example, with or without /v3');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('url: holds a user or a password', 'give the address alone, and an access token as the token');
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/**
 * Strips a copied token of the characters around it.
 * @throws UsageError if no header can carry it
 */
export function tokenFrom(text: string): string {
  const token = text
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^Bearer +/i, '');
  if (token === '') throw new UsageError('token: is empty', 'give an access token of that deployment');
  if (!HEADER_VALUE.test(token) || /\s/.test(token)) {
    throw new UsageError(
      'token: holds blanks, line ends or letters that no token has',
      'copy it once more, whole and alone',
    );
  }
  return token;
}

const MOST_LETTERS = 30;

/** Returns a name for the connection: the significant part of the host, with a number if the name is taken. */
export function nameFor(url: string, taken: readonly string[]): string {
  const { hostname } = new URL(url);
  const isNumeric = hostname.startsWith('[') || /^[\d.]+$/.test(hostname) || !hostname.includes('.');
  const word = isNumeric ? '' : (hostname.replace(/^(www|api|app|open|v3)\./, '').split('.')[0] ?? '');
  const letters = word
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '')
    .slice(0, MOST_LETTERS);
  const tidy = letters === '' || isOfOwnCore(letters) ? 'upstream' : letters;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? tidy : `${tidy}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

export { isOfOwnCore };
