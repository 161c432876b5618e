import { type EventKind, eventKinds, events } from '../../../contract/events.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { codeBlock } from '../frame/code.ts';
import { table } from '../frame/table.ts';
import { addressOfOperation, nameOfOperation } from '../resources/resources.ts';
import { describedEvent } from './described.ts';
import { MEANINGS } from './kinds.ts';
import { VERIFICATIONS } from './verify.ts';

const HEADERS = `POST /stayd HTTP/1.1
content-type: application/json
webhook-id: 01M7Y18Q7VDWXCD1NCSW5A6VYX
webhook-timestamp: 1795259720
webhook-signature: v1,…
service-webhook-secret-token: whsec_…`;

/** Renders the page about events: how to receive them, how to know that they are genuine, and each kind. */
export function eventsPage(): Html {
  return html`<h1>Events</h1>
    <p>
      An event is a flat JSON object that says where to look, not what is there. It is sent once to every webhook that
      has asked for its kind; <a href="${addressOfOperation('createWebhook')}">Create webhook</a> registers an address.
    </p>
    <ul class="plain index">
      <li><a href="#receive">Receive events</a></li>
      <li><a href="#verify">Know that an event is genuine</a></li>
      ${eventKinds.map(
        (kind) =>
          html`<li>
            <a href="#${kind}"><code>${kind}</code></a>
          </li>`,
      )}
    </ul>
    ${receiving()} ${verifying()} ${eventKinds.map(eventSection)}`;
}

function receiving(): Html {
  return html`<section aria-labelledby="receive">
    <h2 id="receive">Receive events</h2>
    ${codeBlock(HEADERS, { title: 'Request' })}
    <ol>
      <li>
        Keep the body as it arrived, byte for byte, and <a href="#verify">check the signature</a> before you use
        anything.
      </li>
      <li>
        Store <code>event_id</code>, which is <code>webhook-id</code> as well. If you have it already, answer 200 and do
        nothing: a service that was stopped while it sent may send again.
      </li>
      <li>
        Answer 2xx at once, within three seconds, and do your work afterwards. A redirect is not followed, and any other
        answer counts as lost: none is sent again.
      </li>
      <li>
        Then read what the event names. Events can come late, twice or in another order; what you read is the present
        state all the same.
      </li>
      <li>Read everything now and then, since an event can be lost on its way.</li>
    </ol>
    <p>
      Every event has <code>event</code>, <code>event_id</code>, <code>timestamp</code> and the fields of its kind.
      Leave alone those that you do not know.
    </p>
  </section>`;
}

function verifying(): Html {
  return html`<section aria-labelledby="verify">
    <h2 id="verify">Know that an event is genuine</h2>
    <p>
      <code>webhook-signature</code> follows
      <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>: <code>v1,</code> and the base64
      of HMAC-SHA-256 over <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot and the body. The key
      is what stands behind <code>whsec_</code> in the secret of the registration, decoded from base64; a secret of
      another form is the key itself. While a secret is rotated there are two signatures, separated by a space: one that
      is right is enough. Refuse a time that is more than five minutes away from yours, or somebody could send you an
      old event again.
    </p>
    <p>
      <code>service-webhook-secret-token</code> is the secret itself. It proves the same to a receiver that can only
      compare a header, but not that the body is unchanged. A webhook may be set to have only one of the two proofs.
    </p>
    ${VERIFICATIONS.map(({ title, text }) => codeBlock(text, { title }))}
  </section>`;
}

function eventSection(kind: EventKind): Html {
  const { when, reads, how } = MEANINGS[kind];
  const { fields, example } = describedEvent(kind);
  return html`<section class="operation" id="${kind}" aria-labelledby="${kind}-name">
    <div class="about">
      <h2 id="${kind}-name">
        <a href="#${kind}"><code>${kind}</code></a>
      </h2>
      <dl class="facts">
        <dt>When</dt>
        <dd>${when}</dd>
        <dt>Then read</dt>
        <dd>
          ${reads === null ? '' : html`<a href="${addressOfOperation(reads)}">${nameOfOperation(reads)}</a> `}${how}
        </dd>
        ${
          events[kind].selectable
            ? ''
            : html`<dt>Selection</dt>
                <dd>Always sent.</dd>`
        }
      </dl>
      ${table(
        ['Field', 'Type', 'Notes'],
        fields.map(({ name, type, values, notes }) => ({
          cells: [
            html`<code>${name}</code>`,
            type,
            html`${notes} ${values.map((value) => html`<code>${value}</code> `)}`,
          ],
        })),
      )}
    </div>
    <div class="beside">${codeBlock(JSON.stringify(example ?? exampleBody(kind), null, 2), { title: 'Body' })}</div>
  </section>`;
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  reservation_code: '5-8HQT3B-SDUV3FQ2',
  stay_code: '5-8HQT3B-SDUV3FQ2',
  property_id: 12,
  availabilities: [{ date: '2027-03-05', available: false }],
  channel_type: 'marketplace_a',
  listing_id: 'L12',
  start_date: '2027-03-01',
  end_date: '2027-03-31',
  conversation_id: 'T12',
  message_id: 'M34',
  transaction_id: 12,
  account_id: 'acc_7Yw0c5HkT2',
  client_id: 'app_7Yw0c5HkT2',
};

/** Returns a body of an event of which the document shows none. */
export function exampleBody(kind: EventKind): Record<string, unknown> {
  const names = Object.keys(events[kind].fields.shape).filter((name) => name in EXAMPLES);
  return {
    event: kind,
    event_id: '01M7Y18Q7VDWXCD1NCSW5A6VYX',
    ...Object.fromEntries(names.map((name) => [name, EXAMPLES[name]])),
    timestamp: '2026-11-21T11:15:20.337Z',
  };
}
