import { errorCodes } from '../../contract/errors.ts';
import { eventKinds, events } from '../../contract/events.ts';
import { operationIds } from '../../contract/index.ts';
import {
  accountWindows,
  failedRequestWindows,
  type LimitWindow,
  rateClasses,
  conversationWindows,
} from '../../contract/limits.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { pagesWith } from '../../kernel/markup/page.ts';
import { windowName } from '../../kernel/windows.ts';
import { operationObject } from '../openapi.ts';
import { type OperationObject, operationSection } from './operations.ts';

const { page, policy } = pagesWith(`
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .85rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav b, th { text-align: left; }
main { padding: 1rem 2rem 4rem; max-width: 62rem; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
h3 a { color: inherit; text-decoration: none; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { min-width: 7rem; }
td:nth-child(2) { overflow-wrap: normal; }
pre { background: var(--ground); padding: .75rem; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: 6rem minmax(0, 1fr); margin: 0; }
dd { margin: 0; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  nav a { display: inline-block; padding: .3rem 0; }
  main { padding: 1rem 1rem 4rem; }
}
`);

export const DOCS_POLICY = policy();

let made: string | undefined;

/**
 * Returns the description of v3 for people, rendered from the contract at the first request: one page without further
 * files.
 */
export function docsPage(): string {
  return (made ??= makePage());
}

function makePage(): string {
  const all = operationIds.map((id) => operationObject(id) as unknown as OperationObject);
  const groups = new Map<string, OperationObject[]>();
  for (const one of all) groups.set(one.tags[0], [...(groups.get(one.tags[0]) ?? []), one]);
  return page(
    'stayd v3',
    html`<nav>
        <ul>
          ${CHAPTERS.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}
        </ul>
        ${[...groups].map(
          ([tag, members]) =>
            html`<b>${tag}</b>
              <ul>
                ${members.map((one) => html`<li><a href="#${one.operationId}">${one.operationId}</a></li>`)}
              </ul>`,
        )}
      </nav>
      <main>
        <h1>stayd v3</h1>
        ${introduction()}${limits()}${errors()}${eventList()}
        <h2 id="operations">Operations</h2>
        ${all.map(operationSection)}
      </main>`,
  );
}

const CHAPTERS = [
  ['asking', 'Asking'],
  ['limits', 'Limits'],
  ['errors', 'Errors'],
  ['events', 'Events'],
  ['operations', 'Operations'],
] as const;

function introduction(): Html {
  return html`<h2 id="asking">Asking</h2>
    <p>
      Every path starts with <code>/v3</code>. A token goes into the header <code>Service-Access-Token</code>, or into
      <code>Authorization: Bearer</code>; <code>./stayd token create</code> makes one. Bodies are JSON objects; fields
      that are not known are ignored. In the examples <code>$URL</code> is the address of the service,
      <code>$TOKEN</code> your token.
    </p>
    <p>
      Every answer has HTTP status 200 and this form. Look at <code>error_code</code>: 200 is success, and anything else
      is not. <code>data</code> is left out where there is none. Quote <code>request_id</code> when you ask for help.
    </p>
    <pre>{"request_id": "01M7Y17A…", "error_code": 200, "error_msg": "Done.", "data": {…}}</pre>
    <p>
      Lists take <code>offset</code> and <code>limit</code> and answer <code>total</code>. Dates are
      <code>YYYY-MM-DD</code>, timestamps ISO 8601. For programs there is <a href="/openapi.json">/openapi.json</a>.
    </p>`;
}

function limits(): Html {
  const rows: [what: string, windows: readonly LimitWindow[]][] = [
    ['an account, all its tokens and endpoints together', accountWindows],
    ...Object.entries(rateClasses).map(([name, windows]): [string, readonly LimitWindow[]] => [
      name === 'default' ? 'an endpoint of an account' : `an endpoint of the class ${name}`,
      windows,
    ]),
    ['messages into one conversation', conversationWindows],
    ['answers 400 and 404 of an endpoint of an account', failedRequestWindows],
  ];
  return html`<h2 id="limits">Limits</h2>
    <p>
      Windows begin at multiples of their length, UTC. A request beyond one is answered 429 and counts in none;
      <code>Retry-After</code> says after how many seconds to try again, <code>X-RateLimit-Scope</code>,
      <code>X-RateLimit-Window</code> and <code>X-RateLimit-Reason</code> which limit it was. The owner of a service can
      raise them or switch them off.
    </p>
    <table>
      <thead>
        <tr>
          <th>of</th>
          <th>at most</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([what, windows]) =>
            html`<tr>
              <td>${what}</td>
              <td>${windows.map((one) => `${one.max.toLocaleString('en-US')} in ${windowName(one)}`).join(', ')}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

const ADVICE = {
  fix: 'Correct the request; the same one will fail again.',
  host: 'The operator must act.',
  wait: 'Wait as long as Retry-After says.',
  retry: 'Try again, with growing pauses.',
} as const;

function errors(): Html {
  return html`<h2 id="errors">Errors</h2>
    <table>
      <thead>
        <tr>
          <th>error_code</th>
          <th>name</th>
          <th>what to do</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(errorCodes).map(
          ([code, { name, client }]) =>
            html`<tr id="error-${code}">
              <td>${code}</td>
              <td>${name}</td>
              <td>${ADVICE[client]}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function eventList(): Html {
  return html`<h2 id="events">Events</h2>
    <p>
      Sent once to every webhook that has asked for them, as a flat JSON object with <code>event</code>,
      <code>event_id</code>, <code>timestamp</code> and the fields below. An event says where to look, not what is
      there: read the current state. None is sent again, so read everything now and then.
    </p>
    <table>
      <thead>
        <tr>
          <th>event</th>
          <th>fields</th>
        </tr>
      </thead>
      <tbody>
        ${eventKinds.map(
          (kind) =>
            html`<tr id="event-${kind}">
              <td>${kind}</td>
              <td><code>${Object.keys(events[kind].fields.shape).join(', ')}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
