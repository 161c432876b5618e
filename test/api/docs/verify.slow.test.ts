import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Docs } from '../../../src/api/docs/site.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { deliverWebhook, type Sender, webhookSender } from '../../../src/outbound/deliver.ts';
import { type Received, startReceiver, type TestReceiver } from '../../support/receiver.ts';
import { codeIn, runProgram } from './support/programs.ts';
import { BUILT, GUIDES } from './support/sources.ts';

const SECRETS = {
  'a secret of ours': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'a foreign secret': 'seventeen herons',
};
/** Beside the bounds of the tolerance. */
const TOO_OLD_S = 301;
const BODY = '{"event":"message_created","event_id":"01M7","message_id":"Zoë’s \\"M\\" 1"}';

/** What the code of the page is asked about one delivery. */
interface Case {
  readonly secret: string;
  readonly headers: Received['headers'];
  readonly body: string;
  /** Seconds by which the clock of the receiver is ahead. */
  readonly ahead: number;
}

/** The rest of a receiver in each language: it prints what the code of the page says. */
const CALLERS: Readonly<Record<string, (code: string, given: Case) => [string, Record<string, string>]>> = {
  typescript: (code, { secret, headers, body, ahead }) => [
    `${code}
const [secret, headers, body] = ${JSON.stringify([secret, headers, body])} as const;
console.log(isGenuine(secret, headers as never, Buffer.from(body), Date.now() + ${ahead * 1_000}) ? 'genuine' : 'forged');
console.log(hasSecret(secret, headers as never));`,
    {},
  ],
  python: (code, { secret, headers, body, ahead }) => [
    `${code}

import json
secret, headers, body = json.loads(${JSON.stringify(JSON.stringify([secret, headers, body]))})
print("genuine" if is_genuine(secret, headers, body.encode(), time.time() + ${ahead}) else "forged")
print(str(has_secret(secret, headers)).lower())`,
    {},
  ],
  shell: (code, { secret, headers, ahead }) => [
    `date() { echo $(($(command date +%s) + ${ahead})); }\n${code}`,
    {
      SECRET: secret,
      ID: String(headers['webhook-id']),
      TIME: String(headers['webhook-timestamp']),
      SIGNATURE: String(headers['webhook-signature']),
    },
  ],
};

describe('code of the reference that verifies events', () => {
  const page = new Docs({ files: BUILT, guides: GUIDES, tries: true }).page('/docs/events') ?? '';
  const code = codeIn(page);
  let receiver: TestReceiver;
  let sender: Sender;
  before(async () => {
    receiver = await startReceiver();
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    sender = webhookSender({
      policy: { allow: ['127.0.0.0/8'] },
      clock: systemClock,
      userAgent: 'stayd-test/1',
      resolve,
    });
  });
  after(async () => {
    await sender.close();
    await receiver.close();
  });

  /** Sends an event as the service does. @returns what has arrived */
  const delivered = async (secret: string, previousSecret?: string): Promise<Received> => {
    const { url } = receiver;
    const event = { url, eventId: '01M7Y18Q7VDWXCD1NCSW5A6VYX', body: BODY, secret, signatureOnly: false };
    const { outcome } = await deliverWebhook(sender, { ...event, ...(previousSecret && { previousSecret }) });
    assert.equal(outcome, 'delivered');
    return receiver.received.at(-1)!;
  };

  for (const [title, language] of [
    ['TypeScript, node:crypto', 'typescript'],
    ['Python, hmac', 'python'],
    ['Shell, openssl', 'shell'],
  ] as const) {
    const verdict = async (given: Case): Promise<string> => {
      const text = code.get(title) ?? '';
      assert.ok(text.length > 0);
      const [program, env] = CALLERS[language]!(text, given);
      const { out, err } = await runProgram(language, program, { env, files: { 'body.json': given.body } });
      assert.equal(err, '', language);
      return out.trim().replaceAll('\n', ' ');
    };
    const yes = language === 'shell' ? 'genuine' : 'genuine true';

    for (const [which, secret] of Object.entries(SECRETS)) {
      it(`${title}: takes what the service has signed with ${which}; not a changed body, another secret, an old time`, async () => {
        const { headers, body } = await delivered(secret);
        const given = { secret, headers, body, ahead: 0 };
        assert.equal(await verdict(given), yes);
        assert.match(await verdict({ ...given, body: body.replace('1"', '2"') }), /^forged/);
        assert.match(await verdict({ ...given, secret: `${secret}x9Zq` }), /^forged/);
        assert.match(await verdict({ ...given, ahead: TOO_OLD_S + 10 }), /^(forged|too old)/);
        const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
        assert.match(await verdict({ ...given, headers: later }), /^forged/);
      });
    }

    it(`${title}: one of two signatures is enough while a secret is rotated`, async () => {
      const { headers, body } = await delivered('the new one', SECRETS['a foreign secret']);
      assert.match(await verdict({ secret: SECRETS['a foreign secret'], headers, body, ahead: 0 }), /^genuine/);
    });
  }
});
