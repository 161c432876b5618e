import type { z } from 'zod';
import { UsageError } from '../kernel/errors.ts';
import { nearestWord } from '../kernel/nearest.ts';

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section with keys of its own',
  record: 'a section with keys of its own',
};

/** Describes the allowed values to the author of a wrong one. A message of the schema's own is used unchanged. */
export function issueText(issue: Issue): string {
  if (!issue.message.startsWith('Invalid ') && !issue.message.startsWith('Too ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return Number(issue.minimum) === 1 && issue.origin !== 'number' && issue.origin !== 'int'
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'url'
        ? 'must be an address such as https://rooms.example'
        : 'is written in no form known';
    default:
      return 'is not possible';
  }
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
}

/** Returns a hint for an unknown name: the name that was probably meant, or all names. */
export function hintOfName(written: string, known: readonly string[], allowed: string): string {
  const meant = nearestWord(written, known);
  return meant === undefined ? `${allowed} ${known.join(', ')}` : `did you mean ${meant}?`;
}

interface MailServer {
  readonly host: string | null;
  readonly user: string | null;
  readonly password: string | null;
  readonly from: string | null;
}

interface Source {
  readonly url: string | null;
  readonly token: string | null;
  readonly oauth: object | null;
  readonly webhook_secret: string | null;
  readonly public_url: string | null;
}

/**
 * Checks keys that depend on each other.
 * @param placeOf returns the place of a key from its path
 * @throws UsageError with the key and the remedy
 */
export function requireSensible(
  { upstream, mail }: { upstream: Source; mail: { smtp: MailServer } },
  placeOf: (path: readonly string[]) => string,
): void {
  if (upstream.url === null) {
    const given = (['token', 'oauth', 'webhook_secret', 'public_url'] as const).find((key) => upstream[key] !== null);
    if (given !== undefined) {
      throw new UsageError(
        `${placeOf(['upstream', given])} is given, and upstream.url is not: nobody knows which deployment it is for`,
        'give its address: STAYD_UPSTREAM_URL=https://rentals.example.com; or leave both out, for the core of your own',
      );
    }
  }
  if (mail.smtp.host !== null && mail.smtp.from === null) {
    throw new UsageError(
      `${placeOf(['mail', 'smtp', 'host'])} is given, and mail.smtp.from is not: mail needs a sender`,
      'give the address that mail comes from: STAYD_MAIL_SMTP_FROM=reception@rooms.example',
    );
  }
}
