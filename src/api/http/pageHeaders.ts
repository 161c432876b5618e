/** What is sent with a page that is for whoever asked alone, and is shown by nobody else. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    // A page that is no longer for somebody must be gone at once, from every cache too.
    'cache-control': 'no-store',
    'content-security-policy': policy,
    // What the address holds is for nobody else.
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  };
}
