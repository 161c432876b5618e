const METHODS = ['spf', 'dkim', 'dmarc'] as const;
const RESULT = /^(spf|dkim|dmarc)\s*=\s*([a-z]{1,20})\b/i;

/** What the mailbox's own server found about a sender, such as `spf=pass dkim=pass dmarc=pass`. */
export interface SenderChecks {
  readonly text: string;
  /** True if the domain of the sender disowns the mail. */
  readonly isDisowned: boolean;
}

/**
 * Reads what the mailbox's own server found about the sender (RFC 8601). Only the topmost head counts, and only if that
 * server signs it: anybody can write one further down.
 * @param servers names by which the server may sign
 */
export function senderChecks(topmost: string | undefined, servers: readonly string[]): SenderChecks | null {
  if (topmost === undefined) return null;
  const [first = '', ...parts] = withoutComments(topmost).split(';');
  const server = first.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
  if (!servers.some((name) => name.toLowerCase() === server)) return null;
  const found = new Map<string, string>();
  for (const part of parts) {
    const [, method = '', result = ''] = RESULT.exec(part.trim()) ?? [];
    const name = method.toLowerCase();
    // A mail can bear several signatures; one that holds is enough.
    if (name !== '' && found.get(name) !== 'pass') found.set(name, result.toLowerCase());
  }
  const text = METHODS.flatMap((name) => (found.has(name) ? [`${name}=${found.get(name)}`] : [])).join(' ');
  return text === '' ? null : { text, isDisowned: found.get('dmarc') === 'fail' };
}

/** Removes comments in brackets, which may be nested and hold anything. */
function withoutComments(text: string): string {
  let depth = 0;
  let kept = '';
  for (const sign of text.slice(0, 4_000)) {
    if (sign === '(') depth++;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += sign;
  }
  return kept;
}
