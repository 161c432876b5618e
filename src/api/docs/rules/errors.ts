import { errorCodes } from '../../../contract/errors.ts';
import {
  accountWindows,
  conversationWindows,
  failedRequestWindows,
  type LimitWindow,
  rateClasses,
} from '../../../contract/limits.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { windowName } from '../../../kernel/limits/windows.ts';
import { table } from '../frame/table.ts';

/** What a client does about a code, by the reaction that the contract expects. */
export const ADVICE = {
  fix: 'Correct the request; the same one will fail again.',
  host: 'The operator must act.',
  wait: 'Wait as long as Retry-After says.',
  retry: 'Try again, with growing pauses.',
} as const;

/** Renders the page about what goes wrong, and how often one may ask. */
export function errorsPage(): Html {
  return html`<h1>Errors and limits</h1>
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <p>
        <code>error_code</code> of the answer; the HTTP status is 200 all the same. <code>error_msg</code> says in words
        which field is wrong, and is never to be parsed.
      </p>
      ${table(
        ['error_code', 'Name', 'Text', 'What to do'],
        Object.entries(errorCodes).map(([code, { name, text, client }]) => ({
          anchor: `error-${code}`,
          cells: [code, html`<code>${name}</code>`, text, ADVICE[client]],
        })),
      )}
    </section>
    ${limits()}`;
}

function limits(): Html {
  const rows: readonly (readonly [what: string, windows: readonly LimitWindow[]])[] = [
    ['an account, all its tokens and endpoints together', accountWindows],
    ...Object.entries(rateClasses).map(
      ([name, windows]) =>
        [name === 'default' ? 'an endpoint of an account' : `an endpoint of the class ${name}`, windows] as const,
    ),
    ['messages into one conversation', conversationWindows],
    ['answers 400 and 404 of an endpoint of an account', failedRequestWindows],
  ];
  return html`<section aria-labelledby="limits">
    <h2 id="limits">Limits</h2>
    <p>
      Windows begin at multiples of their length, UTC. A request beyond one is answered 429 and counts in none;
      <code>Retry-After</code> says after how many seconds to try again, <code>X-RateLimit-Scope</code>,
      <code>X-RateLimit-Window</code> and <code>X-RateLimit-Reason</code> which limit it was. The owner of a service can
      raise them or switch them off.
    </p>
    ${table(
      ['Of', 'At most'],
      rows.map(([what, windows]) => ({ cells: [what, windowsText(windows)] })),
    )}
  </section>`;
}

function windowsText(windows: readonly LimitWindow[]): string {
  return windows.map((one) => `${one.max.toLocaleString('en-US')} in ${windowName(one)}`).join(', ');
}
