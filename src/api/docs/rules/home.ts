import { type Html, html } from '../../../kernel/markup/html.ts';
import { codeBlock } from '../frame/code.ts';
import { nameOfOperation, resourceChapters } from '../resources/resources.ts';

const ENVELOPE = '{"request_id": "01M7Y17A…", "error_code": 200, "error_msg": "Done.", "data": {…}}';

const FIRST = `export URL=http://127.0.0.1:8484
export TOKEN=$(./stayd token create --name first --scope write)
curl -s "$URL/v3/accounts/me" -H "Service-Access-Token: $TOKEN"`;

/** Renders the first page: how to ask, and every operation by its resource. */
export function homePage(): Html {
  return html`<h1>stayd v3</h1>
    <p>
      The REST API of the core: properties, reservations, calendars, messages, money. For programs there is
      <a href="/openapi.json">/openapi.json</a>.
    </p>
    ${asking()}
    <section aria-labelledby="operations">
      <h2 id="operations">Operations</h2>
      <div class="cards">
        ${resourceChapters().map(({ resources }) =>
          resources.map(
            ({ name, about, address, operations }) =>
              html`<section class="card">
                <h3><a href="${address}">${name}</a></h3>
                <p class="dim">${about}</p>
                <ul class="plain">
                  ${operations.map((id) => html`<li><a href="${address}#${id}">${nameOfOperation(id)}</a></li>`)}
                </ul>
              </section>`,
          ),
        )}
      </div>
    </section>`;
}

function asking(): Html {
  return html`<section aria-labelledby="asking">
    <h2 id="asking">Make a request</h2>
    ${codeBlock(FIRST, { title: 'Shell' })}
    <p>
      Every path starts with <code>/v3</code>. A token goes into the header <code>Service-Access-Token</code>, or into
      <code>Authorization: Bearer</code>; <code>./stayd token create</code> or the console makes one. Bodies are JSON
      objects; fields that are not known are ignored, unless you
      <a href="/docs/guides/v3-additions">ask for strictness</a>. In the samples <code>$URL</code> is the address of the
      service, <code>$TOKEN</code> your token.
    </p>
    <p>
      Every answer has HTTP status 200 and this form. Look at <code>error_code</code>: 200 is success, and anything else
      <a href="/docs/errors">is not</a>. <code>data</code> is left out where there is none. Quote
      <code>request_id</code> when you ask for help.
    </p>
    ${codeBlock(ENVELOPE, { title: 'Answer' })}
    <p>
      Lists take <code>offset</code> and <code>limit</code> and answer <code>total</code>. Dates are
      <code>YYYY-MM-DD</code>, timestamps ISO 8601. Instead of asking again and again, let the service
      <a href="/docs/events">send you events</a>.
    </p>
  </section>`;
}
