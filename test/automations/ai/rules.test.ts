import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bestOf } from '../../../src/automations/ai/bestOf.ts';
import { type DraftTerms, faultOf } from '../../../src/automations/ai/checkDraft.ts';
import { judging, sentencesOf } from '../../../src/automations/ai/redactions.ts';
import { promptOf } from '../../../src/automations/ai/prompt.ts';
import { searchedWords, soughtWords } from '../../../src/automations/ai/sameThings.ts';
import { isSameLanguage, languageOf } from '../../../src/automations/ai/languages.ts';
import { topicNames, topicOf } from '../../../src/automations/ai/topics.ts';
import { plainWords } from '../../../src/automations/ai/plainWords.ts';

const PRIVATE = 'The neighbour upstairs plays the drums all night.';
const redactions = judging({
  codes: new Set(['4711', 'ab-12#', '7']),
  names: new Set([plainWords('Zoë Quarrington')]),
  sentences: sentencesOf(PRIVATE),
});
const GIVEN =
  'Mill, 12 Sea Road. Check-in from 15:00 to 2027-03-05. Taxi: +44 20 7946 0000 or taxi@town.example. Pool 120 m, 25 EUR. Map: https://town.example/map';
const terms: DraftTerms = {
  given: GIVEN,
  instructions: 'You draft what the host of a holiday home answers to a guest. The host reads your draft.',
  redactions,
  links: ['rooms.example'],
  denied: topicNames,
  deniedWords: ['sauna'],
  language: 'en',
  longest: 200,
};

describe('what a model has written', () => {
  const rows: [draft: string, fault: string | undefined][] = [
    ['The pool is 120 m away and costs 25 EUR. We are glad to help.', undefined],
    ['Your stay begins on 2027-03-05, check-in is from 15:00.', undefined],
    ['Call a taxi: +44 20 7946 0000, or write to taxi@town.example.', undefined],
    ['A map is at https://town.example/map.', undefined],
    ['See rooms.example or https://rooms.example/faq for more.', undefined],
    ['Pets are welcome 🐕 – e.g. dogs, at 9 a.m.', undefined],
    ['x'.repeat(201), 'too long'],
    ['a'.repeat(46), 'hidden signs'],
    ['The pool\u200b is open.', 'hidden signs'],
    ['The pool\u{e0041} is open.', 'hidden signs'],
    ['The pool \u{e0101}is open.', 'hidden signs'],
    ['Turn \u202eleft.', 'hidden signs'],
    ['The number is ٤٧١١.', 'hidden signs'],
    ['**See** [here](https://town.example/map)', 'no plain text'],
    ['<b>Hello</b>', 'no plain text'],
    ['# Welcome', 'no plain text'],
    ['&#60;script', 'no plain text'],
    ['See https://town.example.evil.example/map', 'a link'],
    ['See https://evil.example', 'a link'],
    ['See https://town.example@evil.example/', 'an e-mail address'],
    ['See http://rooms.example/x', 'a link'],
    ['See HTTPS://EVIL.EXAMPLE', 'a link'],
    ['See evil.example/pay', 'a link'],
    ['See evil[.]example', 'a link'],
    ['See evil (dot) example', 'a link'],
    ['See ｅｖｉｌ.ｅｘａｍｐｌｅ', 'a link'],
    ['Open javascript:alert', 'a link'],
    ['See http://0x7f000001/', 'a link'],
    ['Write to me@evil.example', 'an e-mail address'],
    ['Write to me (at) evil.example', 'an e-mail address'],
    ['Call +49 30 1234567', 'a telephone number'],
    ['Call 0 3 0 1 2 3 4 5 6 7', 'a telephone number'],
    ['The wifi word is 90210.', 'a number that is in no source'],
    ['It costs 30 EUR.', 'a number that is in no source'],
    ['It costs €1,300 a night.', 'a number that is in no source'],
    ['Enter 4711 at the door.', 'a code'],
    ['Enter 4-7-1-1 at the door.', 'a code'],
    ['Enter AB-12# there.', 'a code'],
    ['Ask ZOE  QUARRINGTON about it.', 'another guest'],
    ['They say: the neighbour, upstairs, plays the drums all night!', 'what was said in private'],
    ['Wir haben leider keinen Platz und bitten um Nachsicht, es ist nicht möglich.', 'another language'],
    ['We will refund you.', 'about refund'],
    ['The sauna is hot.', 'about sauna'],
    ['We do not know: NO_ANSWER', 'words of its instructions'],
    ['You draft what the host of a holiday home answers to a guest.', 'words of its instructions'],
  ];
  for (const [draft, fault] of rows) {
    it(`${fault ?? 'passes'}: ${draft.slice(0, 60)}`, () => assert.equal(faultOf(draft, terms), fault));
  }

  it('never passes with a code, wherever and however it is put', () => {
    const around = fc.string({ maxLength: 40 });
    const between = fc.constantFrom('', ' ', '-', '.', ' - ', '_', '\n', '\u200b');
    fc.assert(
      fc.property(around, around, between, (before, after, sign) => {
        assert.notEqual(faultOf(`${before} ${Array.from('4711').join(sign)} ${after}`, terms), undefined);
      }),
    );
  });
});

describe('what a model is told', () => {
  it('holds no code, address or telephone number that somebody has written, and stands in one document', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const content = `${before} 4711 ${after} ada@guest.example +49 171 5550199`;
        const told = { property: 'Mill', stay: {}, sources: [], instructions: '', language: 'en', longest: 500 };
        const [system, user, ...more] = promptOf({ ...told, conversation: [{ isGuest: true, content }] }, (text) =>
          redactions.withoutCodes(text),
        );
        assert.deepEqual(more, []);
        assert.equal(system?.content.includes('4711'), false);
        const { message_of_guest } = JSON.parse(user?.content ?? '') as { message_of_guest: string };
        for (const one of [' 4711 ', 'ada@guest', '5550199'])
          assert.ok(!message_of_guest.includes(one), message_of_guest);
      }),
    );
  });
});

describe('topics', () => {
  const rows: [text: string, topic: string | undefined][] = [
    ['Can I get my money back?', 'refund'],
    ['Ich möchte eine Rückerstattung', 'refund'],
    ['Je veux être remboursé', 'refund'],
    ['Quiero un descuento', 'refund'],
    ['Vorrei uno sconto', 'refund'],
    ['My lawyer will write to you', 'legal'],
    ['Mein Anwalt meldet sich', 'legal'],
    ['My son has an allergy', 'medical'],
    ['J’ai besoin d’un médecin', 'medical'],
    ['There is a smell of gas', 'safety'],
    ['Hay un incendio', 'safety'],
    ['The table is broken', 'damage'],
    ['Die Dusche ist kaputt', 'damage'],
    ['Please cancel my stay', 'cancellation'],
    ['What is the door code?', 'code'],
    ['¿Cuál es el código?', 'code'],
    ['Is the sauna warm?', 'sauna'],
    ['Is there a tennis court nearby?', undefined],
    ['Do you have a stainless pan and a brand new kettle?', undefined],
    ['Dov’è il cancello del parcheggio?', undefined],
    ['Wo kann ich parken?', undefined],
  ];
  for (const [text, topic] of rows)
    it(`${topic ?? 'none'}: ${text}`, () => assert.equal(topicOf(text, topicNames, ['sauna']), topic));
});

describe('what is found', () => {
  const texts = [
    ['Parking', 'There is a parking place behind the house.'],
    ['Wi-Fi', 'The network is called Mill Guests.'],
    ['Pets', 'Dogs are welcome, cats too.'],
    ['Towels', 'Towels and sheets are in the wardrobe; the house has plenty.'],
  ].map(([title = '', text = '']) => ({ title, words: searchedWords(`${title} ${text}`) }));
  const first = (question: string) => bestOf(texts, soughtWords(question), 4)[0]?.title;
  const rows: [question: string, title: string | undefined][] = [
    ['Where can we park our car?', 'Parking'],
    ['Wo ist der Parkplatz?', 'Parking'],
    ['¿Dónde puedo aparcar?', 'Parking'],
    ['C’est quoi le Wi-Fi ?', 'Wi-Fi'],
    ['WLAN?', 'Wi-Fi'],
    ['Dürfen wir den Hund mitbringen?', 'Pets'],
    ['Posso portare il cane?', 'Pets'],
    ['Is there a towel?', 'Towels'],
    ['Do you know the opera?', undefined],
    ['What is it? Where are you?', undefined],
  ];
  for (const [question, title] of rows)
    it(`${title ?? 'nothing'}: ${question}`, () => assert.equal(first(question), title));

  it('holds a sought word always, and at most as many as are wanted', () => {
    const words = fc.array(fc.constantFrom('park', 'wifi', 'dog', 'pool', 'bed'), { minLength: 1, maxLength: 8 });
    const all = fc.array(words, { maxLength: 12 });
    fc.assert(
      fc.property(all, words, fc.integer({ min: 1, max: 5 }), (given, sought, most) => {
        const found = bestOf(
          given.map((one) => ({ words: one.join(' ') })),
          sought,
          most,
        );
        assert.ok(found.length <= most);
        assert.ok(found.every((one) => one.words.split(' ').some((word) => sought.some((one) => one === word))));
        const fitting = given.filter((one) => one.some((word) => sought.includes(word)));
        assert.equal(found.length, Math.min(most, fitting.length));
      }),
    );
  });
});

describe('languages', () => {
  const rows: [text: string, language: string | undefined][] = [
    ['Where can we leave the car, please?', 'en'],
    ['Wo können wir bitte das Auto abstellen?', 'de'],
    ['Où est-ce que je peux laisser la voiture, s’il vous plaît ?', 'fr'],
    ['¿Dónde podemos dejar el coche, por favor?', 'es'],
    ['Dove possiamo lasciare la macchina, per favore?', 'it'],
    ['駐車場はどこですか', 'ja'],
    ['Где парковка?', 'ru'],
    ['Parking?', undefined],
  ];
  for (const [text, language] of rows)
    it(`${language ?? 'unknown'}: ${text}`, () => assert.equal(languageOf(text), language));
  it('near ones are not held against each other', () => {
    assert.deepEqual(
      [isSameLanguage('no', 'da'), isSameLanguage('pt-BR', 'pt'), isSameLanguage('de', 'en')],
      [true, true, false],
    );
  });
});
