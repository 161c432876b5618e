import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { gapNights, priceChanges } from '../../src/automations/actions/nights/gaps.ts';
import { remember } from '../../src/automations/actions/nights/memory.ts';
import { fingerprintOf, normalised } from '../../src/automations/fingerprint.ts';
import { roomAt } from '../../src/automations/guards/conversation.ts';
import { secretsRefused } from '../../src/automations/guards/secrets.ts';
import { languageOf, textFor } from '../../src/automations/language.ts';
import { knownBy, type Mistake, readRules } from '../../src/automations/rules/readRules.ts';
import { readTrigger } from '../../src/automations/rules/trigger.ts';
import { MissingValue, renderTemplate, scopeOf } from '../../src/kernel/markup/templates.ts';
import { dayOf, dueOf, lastRound } from '../../src/automations/times.ts';
import { afterQuiet, momentOf } from '../../src/kernel/quietHours.ts';
import { conversationWindows } from '../../src/contract/limits.ts';
import { stayWith as stay } from './support/stay.ts';

const known = knownBy({
  hooks: { team: { url: 'https://team.example/', secret: 'x' } },
  secretFields: ['door'],
  ai: null,
});
const read = (text: string) => readRules([{ name: 'a.yaml', text }], known);
const GOOD = `name: welcome
state: live
when: 1 minute after booking
do:
  message:
    text: Welcome {{ guest.name }}
`;

const ROUND = `name: gaps
state: live
when: every day at 06:00
do:
  price: { nights: gaps, change_percent: -20, floor: 1, ceiling: 2 }
`;

describe('files of rules', () => {
  it('a rule that needs a language model is a mistake only where none is configured, in whichever process reads it', () => {
    const text = `name: answers\nstate: live\nwhen: message from guest\ndo: { ai_draft: {} }\n`;
    const files = [{ name: 'a.yaml', text }];
    const none = readRules(files, known);
    assert.match(none.mistakes[0]?.problem ?? '', /needs a language model/);
    const configured = readRules(files, knownBy({ hooks: {}, secretFields: [], ai: { model: 'small' } }));
    assert.deepEqual([configured.mistakes, configured.rules.length], [[], 1]);
  });

  it('several rules stand in one file; each has its line', () => {
    const { rules, mistakes } = read(`${GOOD}---\n# another\n${GOOD.replace('welcome', 'two')}---\n`);
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      rules.map(({ name, line }) => [name, line]),
      [
        ['welcome', 1],
        ['two', 9],
      ],
    );
  });

  const rows: [what: string, text: string, line: number, path: string, problem: RegExp][] = [
    ['no YAML', 'name: [', 1, '', /flow collection|expected|end/i],
    ['no such key', GOOD.replace('state:', 'stat:'), 2, 'stat', /no known key; there are name/],
    ['no state', GOOD.replace('state: live\n', ''), 1, 'state', /must be one of draft, test, live/],
    ['a name with a blank', GOOD.replace('welcome', 'wel come'), 1, 'name', /small letters/],
    ['a time that is none', GOOD.replace('1 minute after', '1 minute befor'), 3, 'when', /must be a time such as/],
    ['an action that is none', GOOD.replace('message:', 'massage:'), 5, 'do.massage', /there are message, draft/],
    ['a template that ends early', GOOD.replace('}}', '}'), 6, 'do.message.text', /template: .*not closed/],
    [
      'a field that is none',
      GOOD.replace('guest.name', 'guest.nam'),
      6,
      'do.message.text',
      /guest\.nam }} is no field/,
    ],
    ['a field that is never there', GOOD.replace('guest.name', 'message.text'), 6, 'do.message.text', /never there/],
    ['all fields at once', GOOD.replace('guest.name', 'stay | json'), 6, 'do.message.text', /stay }} is no field/],
    [
      'a name under another name',
      GOOD.replace('{{ guest.name }}', '{% assign s = stay %}{{ s.lock_code }}'),
      6,
      'do.message.text',
      /stay }} is no field/,
    ],
    ['a name in brackets', GOOD.replace('guest.name', 'stay[guest.name]'), 6, 'do.message.text', /brackets/],
    ['another file', GOOD.replace('{{ guest.name }}', '{% include "x" %}'), 6, 'do.message.text', /template/],
    [
      'a condition that is none',
      `${GOOD}if: { nihgts: { at_least: 2 } }\n`,
      7,
      'if.nihgts',
      /no known key; there are channel/,
    ],
    [
      'a condition that is none, in a group',
      `${GOOD}if:\n  any:\n    - nights: { at_least: 2 }\n    - nihgts: { at_least: 3 }\n`,
      10,
      'if.any.1.nihgts',
      /no known key; there are channel/,
    ],
    [
      'a state in a group',
      `${GOOD}if:\n  none:\n    status: accepted\n`,
      9,
      'if.none.status',
      /no known key; there are channel/,
    ],
    ['an empty group', `${GOOD}if:\n  any:\n    - {}\n`, 9, 'if.any.0', /needs a condition/],
    ['a day that is none', `${GOOD}if:\n  weekday: [sat, sonday]\n`, 8, 'if.weekday.1', /saturday or sat/],
    ['a language in words', `${GOOD}if:\n  language: german\n`, 8, 'if.language', /such as en or pt-BR/],
    [
      'a field that is asked for twice',
      `${GOOD}if:\n  custom_field: { name: dog, is: [a], set: true }\n`,
      8,
      'if.custom_field',
      /one of is and set/,
    ],
    ['words in a group, of nobody', `${GOOD}if:\n  any:\n    - says: [wifi]\n`, 7, 'if', /need "message from guest"/],
    ['no action at all', GOOD.replace(/do:[^]*/, 'do: []\n'), 4, 'do', /needs an action/],
    [
      'the second of several actions',
      GOOD.replace(/do:[^]*/, 'do:\n  - note: { add: a }\n  - http: { to: tea, body: { a: b } }\n'),
      6,
      'do.1.http.to',
      /there are team/,
    ],
    [
      'the template of the second of several actions',
      GOOD.replace(/do:[^]*/, 'do:\n  - note: { add: a }\n  - note: { add: "{{ guest.nam }}" }\n'),
      6,
      'do.1.note.add',
      /is no field/,
    ],
    [
      'two actions in one',
      GOOD.replace(/do:[^]*/, 'do:\n  note: { add: a }\n  tag: { add: b }\n'),
      4,
      'do',
      /several are a list/,
    ],
    [
      'two answers to one message',
      GOOD.replace('1 minute after booking', 'message from guest').replace(
        /do:[^]*/,
        'do:\n  - message: { text: a }\n  - note: { add: c }\n  - draft: { text: b }\n',
      ),
      7,
      'do.2',
      /answered once/,
    ],
    [
      'a task that would come back for ever',
      GOOD.replace('1 minute after booking', 'task overdue at 09:00').replace(
        /do:[^]*/,
        'do: { task: { type: cleaning } }\n',
      ),
      4,
      'do',
      /would be overdue itself/,
    ],
    [
      'words to a guest about a task',
      GOOD.replace('1 minute after booking', '1 day after task at 09:00'),
      4,
      'do',
      /does not go with a task/,
    ],
    ['a number where a range is', `${GOOD}if:\n  nights: 2\n`, 8, 'if.nights', /./],
    [
      'a price without a round',
      GOOD.replace(/do:[^]*/, 'do:\n  price: { nights: gaps, change_percent: -20, floor: 1, ceiling: 2 }\n'),
      3,
      'when',
      /every day/,
    ],
    [
      'a condition about a stay in a round of prices',
      `${ROUND}if:\n  property: 1\n  not_channel: x\n  nights: { at_least: 2 }\n`,
      9,
      'if.nights',
      /is asked of nobody.*such an action can ask weekday, channel, not_channel, property, property_tag, property_group/,
    ],
    [
      'a condition in a round that is about nothing',
      `${ROUND.replace(/  price.*/, '  http: { to: team, body: { a: b } }')}if:\n  property: 1\n`,
      7,
      'if.property',
      /is asked of nobody.*such an action can ask weekday/,
    ],
    [
      'a reply to oneself',
      GOOD.replace('1 minute after booking', '{ change: message }'),
      3,
      'when',
      /would answer itself/,
    ],
    [
      'an address that is none',
      GOOD.replace(/do:[^]*/, 'do:\n  http: { to: tea, body: { a: b } }\n'),
      5,
      'do.http.to',
      /there are team/,
    ],
    [
      'an event that is none',
      GOOD.replace('1 minute after booking', '{ event: deposit_pad }'),
      3,
      'when.event',
      /deposit_paid/,
    ],
    ['a taken name', `${GOOD}---\n${GOOD}`, 8, 'name', /taken by a rule of a\.yaml, line 1/],
    ['an alias of nothing', GOOD.replace('{{ guest.name }}', '').replace('Welcome', '*x'), 6, '', /no &x before it/],
    ['a key twice', `${GOOD}name: other\n`, 7, '', /unique/],
  ];
  for (const [what, text, line, path, problem] of rows) {
    it(`names the line of ${what}`, () => {
      const { mistakes } = read(text);
      const [first] = mistakes as [Mistake];
      assert.ok(first, 'a mistake');
      assert.deepEqual([first.line, first.path], [line, path], first.problem);
      assert.match(first.problem, problem);
    });
  }

  it('whatever stands in a file, reading it never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: GOOD.length }), (noise, at) => {
        read(GOOD.slice(0, at) + noise + GOOD.slice(at));
        readTrigger(noise);
      }),
      { numRuns: 300 },
    );
  });
});

const USUAL = { check_in: '15:00', check_out: '11:00' };

describe('times', () => {
  const due = (text: string, zone: string, of = stay()) => {
    const trigger = readTrigger(text);
    assert.ok(trigger?.kind === 'time', text);
    return dueOf(trigger, of, zone, USUAL);
  };
  const rows: [text: string, zone: string, at: string][] = [
    ['2 days before check_in at 16:00', 'Europe/Berlin', '2027-03-26T15:00:00.000Z'],
    ['check-in at 16:00', 'Europe/Berlin', '2027-03-28T14:00:00.000Z'],
    ['check_in at 02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
    ['check_in', 'Europe/Berlin', '2027-03-28T13:00:00.000Z'],
    ['3 hours before check_in', 'Pacific/Kiritimati', '2027-03-27T22:00:00.000Z'],
    ['1 day after check_out at 10:00', 'Australia/Lord_Howe', '2027-03-30T23:00:00.000Z'],
    ['30 minutes after booking', 'UTC', '2027-03-01T10:30:00.000Z'],
    ['1 day after booking at 09:00', 'Asia/Tokyo', '2027-03-02T00:00:00.000Z'],
  ];
  for (const [text, zone, at] of rows) it(`${text} in ${zone}`, () => assert.equal(due(text, zone), at));

  it('a stay that was not cancelled has no such moment', () =>
    assert.equal(due('1 hour after cancellation', 'UTC'), undefined));

  it('of a time that a zone repeats it is the first', () =>
    assert.equal(momentOf('2026-10-25', '02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z'));

  it('quiet hours end where the property is, over midnight and within a day, also when the clock is changed', () => {
    const night = { from: '21:00', to: '09:00' };
    const at = (moment: string, zone = 'Europe/Berlin', quiet: { from: string; to: string } | null = night) =>
      afterQuiet(moment, quiet, zone);
    assert.equal(at('2027-01-10T12:00:00.000Z'), '2027-01-10T12:00:00.000Z');
    assert.equal(at('2027-01-10T20:00:00.000Z'), '2027-01-11T08:00:00.000Z');
    assert.equal(at('2027-01-11T03:00:00.000Z'), '2027-01-11T08:00:00.000Z');
    assert.equal(at('2027-03-27T23:00:00.000Z'), '2027-03-28T07:00:00.000Z');
    assert.equal(at('2027-01-11T12:30:00.000Z', 'UTC', { from: '12:00', to: '14:00' }), '2027-01-11T14:00:00.000Z');
    assert.equal(at('2027-01-10T20:00:00.000Z', 'UTC', null), '2027-01-10T20:00:00.000Z');
  });

  it('what is put off is never within quiet hours', () => {
    const moments = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') });
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    fc.assert(
      fc.property(moments, zones, (ms, zone) => {
        const quiet = { from: '21:00', to: '09:00' };
        const moved = afterQuiet(new Date(ms).toISOString(), quiet, zone);
        assert.ok(Date.parse(moved) >= ms);
        assert.equal(afterQuiet(moved, quiet, zone), moved);
      }),
      { numRuns: 300 },
    );
  });

  it('rounds come at their day', () => {
    const round = (text: string, now: string) => {
      const trigger = readTrigger(text);
      return trigger?.kind === 'every' ? lastRound(trigger, now, 'Europe/Berlin') : undefined;
    };
    assert.deepEqual(round('every day at 08:00', '2027-03-10T06:59:00.000Z'), {
      date: '2027-03-09',
      at: '2027-03-09T07:00:00.000Z',
    });
    assert.equal(round('every monday at 08:00', '2027-03-10T12:00:00.000Z')?.date, '2027-03-08');
    assert.equal(round('every month on day 1 at 08:00', '2027-03-10T12:00:00.000Z')?.date, '2027-03-01');
    assert.equal(dayOf('1 day before check_in', stay()), '2027-03-27');
  });
});

describe('templates', () => {
  it('say nothing where a value is missing, empty or false; a condition may ask for it', () => {
    const scope = scopeOf({ guest: { name: 'Ada' }, stay: { lock_code: null, note: '', same_day_arrival: false } });
    assert.equal(
      renderTemplate('Hi {{ guest.name }}{% if stay.lock_code %} {{ stay.lock_code }}{% endif %}', scope),
      'Hi Ada',
    );
    for (const text of ['{{ stay.lock_code }}', 'a {{ stay.note }}', '{% if stay.same_day_arrival %}x{% endif %}']) {
      assert.throws(() => renderTemplate(text, scope), MissingValue, text);
    }
  });

  it('a template cannot work for ever or fill the memory', () => {
    assert.throws(() => renderTemplate('{% for a in (1..100000000) %}x{% endfor %}', {}));
  });

  it('a template that a busy machine holds up is rendered once more', () => {
    let pauses = 1;
    const scope = {
      guest: {
        get name() {
          const end = performance.now() + 250;
          while (pauses > 0 && performance.now() < end);
          pauses -= 1;
          return 'Ada';
        },
      },
    };
    assert.equal(renderTemplate('{% if true %}{{ guest.name }}{% endif %} is here', scope), 'Ada is here');
  });

  it('speak the language of the guest, else the usual one', () => {
    const texts = { en: 'Hello', de: 'Hallo' };
    const of = (speaker: Partial<Parameters<typeof languageOf>[0]>) =>
      textFor(texts, languageOf({ chosen: undefined, country: null, phone: null, ...speaker }), 'en').text;
    assert.equal(of({ country: 'AT' }), 'Hallo');
    assert.equal(of({ phone: '0049 30 1' }), 'Hallo');
    assert.equal(of({ country: 'AT', chosen: 'en' }), 'Hello');
    assert.equal(of({ country: 'FR' }), 'Hello');
    assert.equal(textFor({ '*': 'Hej' }, 'de', 'en').text, 'Hej');
  });
});

describe('guards', () => {
  it('a text is known again without case, blanks and signs', () => {
    assert.equal(fingerprintOf('Hello, Ada! 😀'), fingerprintOf('helloADA'));
    assert.notEqual(fingerprintOf('Hello Ada'), fingerprintOf('Hello Eda'));
    assert.equal(normalised('😀'), '😀');
  });

  it('no window of a conversation is ever filled by more than half', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 80 }), (gaps) => {
        const sent: number[] = [];
        let now = 1_000_000;
        for (const gap of gaps) {
          now += gap;
          const at = roomAt(sent, now);
          if (at <= now) sent.push(now);
        }
        for (const { seconds, max } of conversationWindows) {
          for (const end of sent) {
            const within = sent.filter((one) => one > end - seconds * 1_000 && one <= end).length;
            assert.ok(within <= Math.max(1, Math.floor(max / 2)), `${within} in ${seconds} s`);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('a secret is for accepted, paid, identified guests near their arrival', () => {
    const property = { id: 1, name: 'A', address: null, zone: 'Europe/Berlin', tags: [], groups: [] };
    const nowMs = Date.parse('2027-03-27T12:00:00Z');
    const asked = (over: object, at = nowMs) =>
      secretsRefused({ stay: stay(over), property, usual: USUAL, withinMs: 72 * 3_600_000, nowMs: at });
    assert.equal(asked({}), undefined);
    assert.equal(asked({ status: 'wait_pay' }), 'stay_status');
    assert.equal(asked({ payment_status: 'partial' }), 'not_paid');
    assert.equal(asked({ id_required: 'required' }), 'not_identified');
    assert.equal(asked({}, nowMs - 3 * 86_400_000), 'not_near');
    assert.equal(asked({}, nowMs + 5 * 86_400_000), 'not_near');
    assert.equal(secretsRefused({ stay: null, property, usual: USUAL, withinMs: 1, nowMs }), 'stay_status');
  });
});

describe('gaps', () => {
  const stays = [
    { check_in_date: '2027-03-01', check_out_date: '2027-03-05' },
    { check_in_date: '2027-03-07', check_out_date: '2027-03-10' },
    { check_in_date: '2027-03-15', check_out_date: '2027-03-16' },
  ];
  const day = (date: string, price: number) => ({ date, price, inventory: 1 });
  const spec = { change_percent: -20, floor: 70, ceiling: 200 };

  it('are the few free nights between two stays', () => {
    assert.deepEqual(gapNights(stays, '2027-03-01', '2027-04-01', 2), ['2027-03-05', '2027-03-06']);
    assert.deepEqual(gapNights(stays, '2027-03-06', '2027-04-01', 2), ['2027-03-06']);
    assert.equal(gapNights(stays, '2027-03-01', '2027-04-01', 5).length, 7);
  });

  it('are priced once, within the bounds, and set back when they are none any more', () => {
    const gaps = new Set(['2027-03-05', '2027-03-06']);
    const first = priceChanges(
      'a/1',
      [day('2027-03-05', 100), day('2027-03-06', 80), day('2027-03-07', 90)],
      gaps,
      { own: new Map(), gone: new Map() },
      spec,
    );
    assert.deepEqual(
      first.map(({ date, to }) => [date, to]),
      [
        ['2027-03-05', 80],
        ['2027-03-06', 70],
      ],
    );
    const memory = { own: remember([{ isSure: true, changes: first }], { forgets: true }), gone: new Map() };
    assert.deepEqual(priceChanges('a/1', [day('2027-03-05', 80), day('2027-03-06', 70)], gaps, memory, spec), []);
    assert.deepEqual(
      priceChanges('a/1', [day('2027-03-05', 80)], new Set(), memory, spec).map(({ to }) => to),
      [100],
    );
    assert.deepEqual(
      priceChanges('a/1', [day('2027-03-05', 95)], new Set(), memory, spec),
      [],
      'somebody has priced it since',
    );
    const renamed = { own: new Map(), gone: memory.own };
    assert.deepEqual(priceChanges('a/1', [day('2027-03-05', 80)], gaps, renamed, spec), []);
    assert.deepEqual(priceChanges('a/1', [day('2027-03-05', 80)], new Set(), renamed, spec), []);
  });
});

describe('actions that do not fit', () => {
  const rows: [what: string, action: string, path: RegExp, problem: RegExp][] = [
    [
      'one of several people, and one alone',
      'task: { type: other, staff: [1], staff_id: 2 }',
      /staff$/,
      /excludes staff_id/,
    ],
    ['somebody twice', 'task: { type: other, staff: [1, 1] }', /staff$/, /names somebody twice/],
    ['steps without any', 'price: { nights: free, floor: 1, ceiling: 2 }', /nights$/, /needs by_occupancy or/],
    ['nights that are neither', 'price: { nights: all, floor: 1, ceiling: 2 }', /nights$/, /gaps or free/],
    ['a minimum stay without a round', 'min_stay: { nights: gaps }', /^when$/, /every day at/],
    ['an offer of nothing', 'special_offer: { adults: 2 }', /special_offer$/, /price_per_night or/],
    ['an offer without a floor', 'special_offer: { adults: 2, change_percent: -10 }', /floor$/, /is required/],
    ['an offer to nobody', 'preapproval: {}', /^when$/, /message from guest/],
    ['an answer that is none', 'answer_request: { answer: maybe }', /answer$/, /approve/],
  ];
  for (const [what, action, path, problem] of rows) {
    it(`${what} is a mistake`, () => {
      const { mistakes } = read(GOOD.replace(/do:[^]*/, `do:\n  ${action}\n`));
      assert.ok(
        mistakes.some((one) => path.test(one.path) && problem.test(one.problem)),
        JSON.stringify(mistakes),
      );
    });
  }

  it('a request has one state, and is answered about bookings alone', () => {
    const rule = GOOD.replace(/do:[^]*/, 'do:\n  answer_request: { answer: approve }\n');
    assert.deepEqual(read(rule).mistakes, []);
    assert.match(JSON.stringify(read(`${rule}if: { status: accepted }\n`).mistakes), /wait_accept/);
    const toMessages = read(rule.replace(/when: .*/, 'when: message from guest')).mistakes;
    assert.match(JSON.stringify(toMessages), /answer_request needs/);
  });
});
