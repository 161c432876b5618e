const LONGEST = 2_048;
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/**
 * Characters of a URI (RFC 3986), without `#`, which a redirect must not have, and without `*`, which is no single
 * place.
 */
const PLAIN = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** Loopback addresses. An application on the person's own machine takes any free port each time (RFC 8252). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)(.*)$/;

/** Returns the reason why people may not be sent to this address with a code; undefined: they may. */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (!PLAIN.test(uri)) return 'has a #, a *, or characters that no address has';
  if (!URL.canParse(uri)) return 'is no absolute address';
  const url = new URL(uri);
  if (url.protocol !== 'https:' && !LOOPBACK.test(uri)) {
    return 'must begin with https:// (or http://127.0.0.1, http://[::1], http://localhost for programs on the own machine)';
  }
  // The parser accepts `;` and more. Such a name does not exist and could be misread where it is quoted.
  if (!HOST.test(url.hostname)) return 'has a host with characters that no name has';
  if (url.username !== '' || url.password !== '') return 'must not name a user';
  // Parsers repair URIs in different ways, so an address must need no repair.
  if (url.href !== uri && url.href !== `${uri}/`) return `must be written as ${url.href}`;
  return undefined;
}

/**
 * Returns true if a redirect URI of a request equals a registered one, character by character. A loopback address may
 * have another port.
 */
export function matchesRedirect(registered: string, given: string): boolean {
  if (given === registered) return true;
  const [, host, rest] = LOOPBACK.exec(registered) ?? [];
  const [, givenHost, givenRest] = LOOPBACK.exec(given) ?? [];
  if (host === undefined || host !== givenHost || rest !== givenRest) return false;
  return redirectProblem(given) === undefined;
}

/**
 * Returns true if an address is on the machine of the person who opens it. Any program there can impersonate the
 * application.
 */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Returns a redirect URI with the given fields added to its own query. */
export function withAnswer(uri: string, fields: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`;
}
