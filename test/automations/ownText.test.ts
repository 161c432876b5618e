import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CUT_LEAST,
  FOOTED_LEAST,
  FOOTER_MOST,
  fingerprintOf,
  isOurText,
  normalised,
  printOf,
} from '../../src/automations/fingerprint.ts';
import { type OwnSend, judgeReply } from '../../src/automations/guards/conversation.ts';
import type { FreshConversation, Said } from '../../src/automations/perform/conversation.ts';
import { keyedHash } from '../support/keyedHash.ts';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const TEXT =
  'Hello Ada, thank you for your message. The network is called "Sea View", and the card on the fridge tells the rest. ' +
  'Yes, there is a lift; breakfast is served from 8 to 10 in the garden when the conditions is fine.';

const seenAs = (text: string) => ({ letters: normalised(text), fingerprint: fingerprintOf(text) });
const isOurs = (text: string, seen: string) => isOurText(printOf(text, keyedHash), seenAs(seen), keyedHash);

/** Texts as people write them: words with signs, quotes and breaks between them. */
const word = fc.stringMatching(/^[a-zäöüéßñA-Z0-9]{1,12}$/);
const between = fc.constantFrom(' ', ', ', '. ', '\n', '\n\n', ' "', '" ', '’', ' – ', '! 😀 ');
const words = (least: number) =>
  fc
    .array(fc.tuple(word, between), { minLength: least, maxLength: 80 })
    .map((parts) => parts.map(([one, gap]) => one + gap).join(''));
/** What channels do to the signs of a text. */
const changes = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replaceAll(/\s+/g, ' ').trim(),
  (text) => text.replaceAll('"', '&quot;').replaceAll('’', '&#39;').replaceAll('\n', '<br/>'),
  (text) => text.replaceAll('"', '”').replaceAll('’', "'"),
  (text) => text.replaceAll(/[^\p{L}\p{N} ]/gu, ''),
  (text) => text.normalize('NFD'),
);
const footer = fc.constantFrom(
  '',
  '\n\n--\nSent through the marketplace. Please do not reply to this e-mail.',
  '\n\nMessage sent by Sea View Ltd, Harbour Street 5 · https://marketplace.example/conversations/18?lang=en',
);

describe('our own text when it comes back', () => {
  it('is known with any blanks and signs, and with a footer', () => {
    fc.assert(
      fc.property(words(8), changes, footer, (text, change, below) => {
        fc.pre(normalised(text).length >= FOOTED_LEAST);
        assert.equal(isOurs(text, change(text) + below), true);
      }),
      { numRuns: 60 },
    );
  });

  it('is known when it is cut', () => {
    fc.assert(
      fc.property(
        words(30),
        changes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('', '…', '...'),
        (text, change, part, end) => {
          const letters = normalised(text);
          fc.pre(letters.length > CUT_LEAST);
          const least = text.split('').findIndex((_, at) => normalised(text.slice(0, at)).length >= CUT_LEAST);
          const at = least + Math.floor(part * (text.length - least));
          assert.equal(isOurs(text, change(text.slice(0, at)) + end), true);
        },
      ),
      { numRuns: 60 },
    );
    assert.equal(isOurs(TEXT, `${TEXT.slice(0, 120)}… read more`), true);
  });

  it('is not what a guest makes of a part of it, nor another text that begins alike', () => {
    fc.assert(
      fc.property(words(30), fc.nat(200), fc.integer({ min: 1, max: 40 }), fc.boolean(), (text, from, length, asks) => {
        const part = text.slice(from, from + length);
        fc.pre(normalised(part).length < CUT_LEAST && normalised(part) !== normalised(text));
        assert.equal(isOurs(text, asks ? `${part} — what does this mean?` : part), false);
      }),
      { numRuns: 60 },
    );
    for (const said of ['yes', 'Yes, please!', 'Hello Ada', 'The network is called "Sea View"', '👍', '']) {
      assert.equal(isOurs(TEXT, said), false, said);
    }
    assert.equal(isOurs('Yes.', 'Yes, and is there a lift?'), false);
    assert.equal(isOurs(TEXT, `Great, thanks!\n> ${TEXT}`), false, 'an answer above a quotation');
    assert.equal(isOurs(TEXT, `${TEXT}${' What about parking, and where do I leave the key?'.repeat(6)}`), false);
    const expect = (day: string) => `${TEXT} We expect you on ${day}.`;
    assert.equal(isOurs(expect('2026-11-22'), expect('2026-11-25')), false, 'another day');
    assert.equal(isOurs(expect('10 May'), expect('9 May')), false, 'another day, shorter');
  });

  it('keeps nothing by which somebody with the database alone could guess the words', () => {
    const { marks } = printOf('The code is 4711', keyedHash);
    const other = printOf('The code is 4711', (text) => keyedHash(`another key ${text}`));
    assert.notEqual(marks, other.marks);
    assert.ok(FOOTER_MOST < 400);
  });
});

describe('a reply is judged', () => {
  const said = (message_id: string, isGuest: boolean, content: string, minutes: number): Said => ({
    message_id,
    isGuest,
    content,
    ...seenAs(content),
    atMs: NOW + minutes * MINUTE_MS,
    isAutomatic: false,
  });
  const send = (text: string, minutes: number): OwnSend => {
    const print = printOf(text, keyedHash);
    return {
      plan_id: `plan ${minutes}`,
      message_id: 'm-0',
      fingerprint: print.fingerprint,
      atMs: NOW + minutes * MINUTE_MS,
      wrote: (one) => isOurText(print, one, keyedHash),
    };
  };
  const conversation = (messages: Said[]): FreshConversation => ({
    conversation_id: 'c-1',
    channel_type: 'marketplace_a',
    guest: null,
    note: null,
    reservationCodes: [],
    propertyIds: [],
    activities: [],
    messages,
  });
  const judged = (messages: Said[], own: OwnSend[], wanted: { maxTurns?: number; hasCompany?: boolean } = {}) =>
    judgeReply(conversation(messages), own, {
      message_id: 'm-1',
      knownMs: NOW,
      cancelIfReplied: true,
      maxTurns: 3,
      nowMs: NOW + MINUTE_MS,
      hasCompany: false,
      ...wanted,
    })?.reason ?? 'answer';

  for (const [what, minutes] of [
    ['400 s before', -400 / 60],
    ['400 s after', 400 / 60],
    ['15 minutes before', -15],
    ['15 minutes after', 15],
  ] as const) {
    it(`our text as if a guest had written it, dated ${what} it left`, () => {
      assert.equal(judged([said('m-1', true, TEXT, minutes)], [send(TEXT, 0)]), 'echo');
      assert.equal(judged([said('m-1', true, `${TEXT}\n--\nSent by the channel`, minutes)], [send(TEXT, 0)]), 'echo');
      assert.equal(judged([said('m-1', true, 'yes', minutes)], [send(TEXT, 0)]), 'answer');
    });
  }

  it('what we had said before is no answer when it is dated later, also with a footer', () => {
    const [asked, before] = [said('m-1', true, 'And a lift?', 0), send(TEXT, -5)];
    for (const shown of [TEXT, `${TEXT}\n--\nSent by the channel`, `${TEXT.slice(0, 100)}…`]) {
      assert.equal(judged([said('m-0', false, shown, 1), asked], [before]), 'answer', shown);
    }
    assert.equal(judged([said('m-0', false, 'Yes, there is.', 1), asked], [before]), 'answered', 'a person');
    const twice = [said('m-3', false, TEXT, 2), said('m-2', false, TEXT, 1), asked];
    assert.equal(judged(twice, [before]), 'answered', 'one more than we have sent');
    assert.equal(judged([said('m-0', false, TEXT, 1), asked], [send(TEXT, 1)]), 'answered', 'sent since');
    assert.equal(judged([said('m-0', false, TEXT, 1), asked], [before], { hasCompany: true }), 'answered');
  });

  it('our text with a footer is no word of a person that lets us go on', () => {
    const own = [-30, -20, -10].map((minutes) => send(`${TEXT} (${minutes})`, minutes));
    const shown = [-10, -20, -30].map((minutes) =>
      said(`m ${minutes}`, false, `${TEXT} (${minutes})\n--\nSent by the channel`, minutes + 1),
    );
    assert.equal(judged([said('m-1', true, 'And a lift?', 0), ...shown], own), 'too_many_turns');
  });
});
