/** Returns the headers of a page that is for its reader alone and that no other page may embed. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    // A page whose reader has lost the right must disappear at once, from every cache too.
    'cache-control': 'no-store',
    'content-security-policy': policy,
    // The address may contain secrets.
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  };
}
