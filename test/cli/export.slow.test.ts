import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { call, newToken, startTestService, type TestService } from '../support/service.ts';
import type { Outcome } from './support/manyCommands.ts';
import { runMany } from './support/runMany.ts';

const MONTH = '2024-03';
const DAYS = ['--from', MONTH, '--to', MONTH];
const MAPPING = `
date: Booked
amount: Amount
currency: EUR
text: [Text]
format: { delimiter: comma, encoding: utf-8, decimal: point, thousands: none, date: YYYY-MM-DD, skip_lines: 0 }
bank: Assets:Bank
`;

/** Of the first account: accommodation, laundry and the like; bank, cards. */
const ITEM = { income: 101, expense: 107 };
const METHOD = { income: 111, cards: 113, expense: 115 };

async function fill(service: TestService): Promise<void> {
  const { property_id } = await service.v3('POST', '/properties', { name: 'House' });
  const entry = (direction: 'income' | 'expense', amount: number, day: string, method: number) =>
    service.v3('POST', '/transactions', {
      property_id,
      direction,
      item_id: ITEM[direction],
      payment_method_id: method,
      amount,
      currency: 'EUR',
      action_at: `${MONTH}-${day}T12:00:00Z`,
    });
  await entry('income', 300, '05', METHOD.income);
  await entry('income', 120.5, '06', METHOD.cards);
  await entry('expense', 40, '07', METHOD.expense);
  await service.settled();
}

describe('stayd export, beside a running service', () => {
  let service: TestService;
  let receiver: TestReceiver;
  let said: Record<string, Outcome>;
  let payout: string;
  const path = (name: string) => join(service.dataDir, name);

  before(async () => {
    receiver = await startReceiver();
    const jobs = { posted: { format: 'jsonl', period: 'all', url: receiver.url, secret: 'whsec_c2VjcmV0' } };
    const environment = {
      STAYD_EXPORTS_JOBS: JSON.stringify(jobs),
      STAYD_OUTBOUND_ALLOW: receiver.host,
      STAYD_LOG_LEVEL: 'silent',
    };
    service = await startTestService(environment);
    await fill(service);
    writeFileSync(path('bank.csv'), 'Booked,Amount,Text\n2024-03-08,120.50,Cards\n2024-03-09,7.00,?\n');
    writeFileSync(path('bank.yaml'), MAPPING);
    const commands: Record<string, string[]> = {
      map: ['map'],
      'map for xero': ['map', '--for', 'xero'],
      run: ['run', 'hledger', ...DAYS, '--out', path('books')],
      posted: ['run', 'posted'],
      ack: ['ack', 'posted', '--failed'],
      match: ['match', path('bank.csv'), '--mapping', path('bank.yaml')],
      close: ['close', MONTH, '--reason', 'filed'],
      verify: ['verify'],
      list: ['list'],
      reopen: ['reopen', MONTH, '--reason', 'an invoice came late'],
      'no job': ['run', 'hledgr'],
      'no target': ['map', '--for', 'xeroo'],
      'no date': ['run', 'hledger', '--from', '2024-13'],
      'no folder': ['run', 'hledger', ...DAYS, '--out', '/proc/books'],
      'no past': ['close', '2999-12'],
    };
    const outcomes = await runMany(
      Object.values(commands).map((words) => ['export', ...words]),
      { ...environment, STAYD_DATA_DIR: service.dataDir },
    );
    said = Object.fromEntries(Object.keys(commands).map((name, index) => [name, outcomes[index] ?? assert.fail()]));
  });
  after(async () => {
    await service.remove();
    await receiver.close();
  });

  const printed = (name: string, code: number): string => {
    const { code: ended, stdout, stderr } = said[name] ?? assert.fail(name);
    assert.equal(ended, code, `${name}: ${stdout}${stderr}`);
    return stdout;
  };

  it('maps, and writes to a folder, with what was booked and the sums', () => {
    assert.match(printed('map', 0), /everything has its place/);
    const mapped = printed('map for xero', 1);
    assert.match(mapped, /account +income +Income:Accommodation +by xero +code 4000/);
    assert.match(mapped, /chart:\n +"Assets:Bank": \{ code: "1000" \} {2}# asset, Bank\n/);
    const text = printed('run', 0);
    assert.match(text, /hledger: 3 entries of 2024-03-01 to 2024-03-31, delivered/);
    assert.match(text, /debit = credit = 460\.50 EUR/);
    assert.match(readFileSync(path('books/hledger_2024-03-01_2024-03-31.journal'), 'utf8'), /Income:Accommodation/);
  });

  it('sends to an address once, and again when somebody says that it did not arrive', () => {
    assert.match(printed('posted', 0), /posted: 3 entries of 1970-01-01 to .*, acknowledged/);
    assert.match(printed('ack', 0), /run \S+ of posted: rejected, 3 entries/);
    assert.deepEqual(
      receiver.received.map(({ headers }) => String(headers['stayd-export-file']).replace(/_\d.*?\./, '.')),
      ['posted.jsonl', 'posted.manifest.json'],
    );
  });

  it('matches a file of a bank, and books what it explains', () => {
    assert.match(printed('match', 1), /1 matched, 0 proposed, 0 matched before, 1 unexplained/);
    assert.match(printed('match', 1), /2024-03-08 +120\.50 +EUR +Assets:Clearing:Cards/);
  });

  it('takes a match back, by the beginning of its id, and matches the line again', async () => {
    const environment = { STAYD_DATA_DIR: service.dataDir, STAYD_LOG_LEVEL: 'silent' };
    const match = ['export', 'match', path('bank.csv'), '--mapping', path('bank.yaml'), '--json'];
    const payouts = ['report', 'payouts', '--json'];
    const [listed] = await runMany([payouts], environment);
    [{ payout_id: payout }] = JSON.parse(listed?.stdout ?? '').rows as [{ payout_id: string }];
    const undo = (...words: string[]) => ['export', 'match', '--undo', ...words];
    const [unknown, short, named, late, undone, again, none, rematched] = await runMany(
      [
        undo('XXXXXXXX'),
        undo('X'),
        undo(payout, path('bank.csv')),
        ['export', 'match', path('bank.csv'), '--reason', 'why not'],
        undo(payout.slice(0, 8), '--reason', 'of another house'),
        undo(payout),
        payouts,
        match,
      ],
      environment,
    );
    const refused: readonly [Outcome | undefined, RegExp][] = [
      [unknown, /there is no payout "XXXXXXXX"\n.*\.\/stayd report payouts lists them/],
      [short, /payout: .*4/],
      [named, /--undo takes no file/],
      [late, /--reason goes with --undo/],
      [again, new RegExp(`payout ${payout} was reversed at 20`)],
    ];
    for (const [one, says] of refused) {
      assert.match(one?.stderr ?? '', says);
      assert.equal(one?.code, 2, one?.stderr);
    }
    assert.match(
      undone?.stdout ?? '',
      /payout \w+ of 2024-03-08, 120\.50 EUR from Assets:Clearing:Cards, is reversed; 1 posting/,
    );
    assert.deepEqual(JSON.parse(none?.stdout ?? '').rows, []);
    assert.equal(JSON.parse(rematched?.stdout ?? '').matches.length, 1);
  });

  it('closes, verifies, lists and opens a month', () => {
    assert.match(printed('close', 0), /2024-03 +locked +4 /);
    assert.match(printed('verify', 0), /2024-03 +4 +[0-9a-f]{16} +as sealed[\s\S]*the books hold/);
    const list = printed('list', 0);
    assert.match(list, /2024-03 +locked +4/);
    assert.match(list, /posted +2\d|posted .*rejected/);
    assert.match(printed('reopen', 0), /2024-03 is open; it was locked/);
  });

  it('says what is wrong, and what to do', () => {
    const wrong: readonly [name: string, code: number, says: RegExp][] = [
      ['no target', 2, /there is no job "xeroo"\n.*jobs are beancount/],
      ['no job', 2, /there is no job "hledgr"\n.*jobs are beancount, .*posted/],
      ['no date', 2, /from: "2024-13" is no date, month or year such as/],
      ['no folder', 1, /cannot write to \/proc\/books: .*\n.*name a folder that stayd may write to/],
      ['no past', 1, /2999-12 cannot be closed:\n.*it is not over before/],
    ];
    for (const [name, code, says] of wrong) {
      printed(name, code);
      assert.match(said[name]?.stderr ?? '', says, name);
    }
  });

  it('over /portal: reading with any token of the account, the rest for who runs it', async () => {
    const [read, write] = [await newToken(service, 'read'), await newToken(service)];
    const http = async (token: string | undefined, method: string, where: string, body?: object) =>
      (await call(service, method, where, { ...(token !== undefined && { token }), ...(body && { body }) })).http;
    for (const token of [read, write, undefined]) {
      assert.equal(await http(token, 'GET', '/portal/exports'), 200);
      assert.equal(await http(token, 'GET', '/portal/exports/map'), 200);
    }
    const doors = ['run', 'book', 'ack', 'close', 'reopen', 'confirm-settings', 'match', 'match/undo', 'verify'];
    for (const door of doors) assert.equal(await http(read, 'POST', `/portal/exports/${door}`, {}), 401, door);
    const file = { path: path('bank.csv'), days: 35 };
    assert.equal(await http(write, 'POST', '/portal/exports/match', file), 401);
    const out = await call(service, 'POST', '/portal/exports/run', { token: write, body: { job: 'csv', out: '/tmp' } });
    assert.match(out.text, /out: only the control secret names a folder/);
    const ack = await call(service, 'POST', '/portal/exports/ack', {
      token: write,
      body: { run: 'posted', failed: true },
    });
    assert.equal(ack.json?.state, 'rejected', ack.text);
    assert.equal((await call(service, 'GET', '/portal/exports', { token: null })).http, 401);
    const foreign = (await service.portal('POST', '/portal/accounts', {
      name: 'other',
      time_zone: 'UTC',
      currency: 'EUR',
    })) as {
      name: string;
    };
    const { token } = await service.portal('POST', '/portal/tokens', {
      account: foreign.name,
      name: 'x',
      scope: 'write',
    });
    const answer = await call(service, 'GET', '/portal/exports', { token: token as string });
    assert.equal(answer.json?.connection, 'local-other', 'the books of another account are its own');
    assert.ok(!answer.text.includes('2024-03') && !answer.text.includes('posted'), answer.text);
    const undo = (as: string, body: object) =>
      call(service, 'POST', '/portal/exports/match/undo', { token: as, body: { connection: 'local', ...body } });
    const stranger = await undo(token as string, { payout });
    assert.ok(stranger.http >= 400 && !stranger.text.includes('2024'), stranger.text);
    assert.match((await undo(write, {})).text, /payout/);
    assert.match((await undo(write, { payout, reason: 'x'.repeat(501) })).text, /reason/);
    const undone = await undo(write, { payout });
    assert.deepEqual([undone.json?.payout_id, undone.json?.postings], [payout, 1], undone.text);
    assert.match((await undo(write, { payout })).text, /was reversed at/);
  });
});
