import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { formats } from '../../../src/exports/formats/index.ts';
import { oneLine } from '../../../src/exports/formats/writing/text.ts';
import { textCell } from '../../../src/kernel/workbook/cells.ts';
import { workbook } from '../../../src/kernel/workbook/workbook.ts';
import type { Journal, JournalEntry } from '../../../src/exports/journal/entry.ts';
import { unformulated } from '../../../src/kernel/csvText.ts';
import { dayNumber } from '../../../src/kernel/dates.ts';
import { decimalText, exponentOf } from '../../../src/kernel/money.ts';
import { hostileText, payloads } from './hostile.ts';
import { entryOf, journalOf, lifelikeEntries } from './journals.ts';
import { LOCKED, OPTIONS, takenBy } from './taken.ts';
import { describeWith, ran } from './tools.ts';
import { writtenBy } from './written.ts';
import { sheetsOf, unzipped } from './xlsxReading.ts';

const entries = lifelikeEntries(400);
const journal = journalOf({ entries });
const sorted = entries.toSorted((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1));
const texts = [...payloads, ...fc.sample(hostileText, { numRuns: 300, seed: 27 })];
const hostile = journalOf({
  entries: texts.map((text, index) =>
    entryOf({
      id: `t${String(index).padStart(3, '0')}-1`,
      date: '2026-03-05',
      payee: text,
      description: text,
      postings: [
        { account: 'Assets:Clearing:Direct', amount: 1_250, currency: 'EUR', propertyId: 101, memo: text },
        { account: 'Income:I3', amount: -1_250, currency: 'EUR', propertyId: 101 },
      ],
    }),
  ),
  titles: { 'Income:I3': '=1+1' },
  properties: [{ id: 101, code: 'P101', name: '=1+1\n', owner: null }],
});

async function bytesBy(name: string, of: Journal): Promise<Buffer> {
  const [file, ...others] = await writtenBy(name, of);
  assert.ok(file && others.length === 0);
  return file.bytes;
}

describe('xlsx', () => {
  it('gives back every line: real dates, real numbers with the decimals of the currency, texts', async () => {
    const sheets = sheetsOf(await bytesBy('xlsx', journal));
    assert.deepEqual([...sheets.keys()], ['Journal', 'Lines', 'Trial balance', 'Control', 'Exceptions']);
    const lines = sheets.get('Lines');
    let row = 1;
    for (const { id, date, postings, description, reservation } of sorted) {
      for (const [index, { account, amount, currency, propertyId }] of postings.entries()) {
        row += 1;
        const filled = amount > 0 ? 'G' : 'H';
        const line: Record<string, [string, string]> = {
          A: ['text', id],
          B: ['number', String(index + 1)],
          C: ['date', String(dayNumber(date) + 25_569)],
          D: ['text', account],
          E: ['text', `Title of ${account}`],
          [filled]: ['number', decimalText(Math.abs(amount), currency)],
          I: ['text', currency],
          ...(propertyId !== null && { J: ['text', `P${propertyId} House ${propertyId}`] }),
          K: ['text', reservation ?? ''],
          L: ['text', description],
        };
        for (const letter of 'ABCDEGHIJKL') {
          const cell = lines?.get(`${letter}${row}`);
          assert.deepEqual(cell && [cell.kind, cell.value], line[letter], `${letter}${row}`);
        }
      }
    }
    assert.equal(lines?.has(`A${row + 1}`), false);
    assert.equal(sheets.get('Journal')?.has(`A${entries.length + 1}`), true);
    assert.equal(sheets.get('Journal')?.has(`A${entries.length + 2}`), false);
  });

  it('sums up: trial balance, control totals, and what somebody should look at', async () => {
    const unmapped = entryOf({
      id: 't900-1',
      date: '2026-12-30',
      description: 'Sauna',
      postings: [
        { account: 'Assets:Bank:Main', amount: 700, currency: 'EUR', propertyId: null },
        { account: 'Income:Unmapped:I77', amount: -700, currency: 'EUR', propertyId: null },
      ],
    });
    const all = journalOf({
      entries: [...entries, unmapped],
      openings: [{ account: 'Assets:Bank:Main', currency: 'EUR', opening: 12_345n }],
    });
    const sheets = sheetsOf(await bytesBy('xlsx', all));
    const column = (sheet: string, letter: string) =>
      [...(sheets.get(sheet) ?? [])]
        .flatMap(([place, { value }]) => (place.replace(/\d+/, '') === letter ? [value] : []))
        .slice(1);
    assert.deepEqual(
      column('Trial balance', 'I'),
      all.balances.map(({ closing, currency }) => decimalText(closing, currency)),
    );
    assert.equal(column('Trial balance', 'F')[0], '123.45');
    const control = new Map(column('Control', 'A').map((what, index) => [what, index + 2]));
    assert.equal(sheets.get('Control')?.get(`B${control.get('Entries')}`)?.value, String(entries.length + 1));
    const debits = all.balances
      .filter(({ currency }) => currency === 'EUR')
      .reduce((sum, { debit }) => sum + debit, 0n);
    assert.ok(column('Control', 'B').filter((value) => value === decimalText(debits, 'EUR')).length === 2);
    const moved = entries.filter(({ originalDate }) => originalDate !== null).length;
    assert.equal(column('Exceptions', 'A').length, 2 * moved + 1);
    assert.deepEqual(column('Exceptions', 'D'), ['Income:Unmapped:I77']);
  });

  it('S25: holds no formula and no markup of texts, which come back whole', async () => {
    const lines = sheetsOf(await bytesBy('xlsx', hostile)).get('Journal');
    for (const [index, text] of texts.entries()) {
      const cell = lines?.get(`J${index + 2}`);
      assert.equal(cell?.value ?? '', unformulated(oneLine(text, 8_000)), JSON.stringify(text.slice(0, 60)));
      assert.ok(cell === undefined || (cell.kind === 'text' && !/^\s*[=+\-@＝＋－＠]/.test(cell.value)));
    }
  });

  it('goes on on a further sheet where one is full', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => [textCell(`row ${index}`)]);
    const pieces: Uint8Array[] = [];
    for await (const chunk of workbook([{ name: 'Lines', columns: [['A', 5]], rows }], 11)) pieces.push(chunk);
    const sheets = sheetsOf(Buffer.concat(pieces));
    assert.deepEqual(
      [...sheets].map(([name, cells]) => [name, cells.size, cells.get('A2')?.value]),
      [
        ['Lines', 11, 'row 0'],
        ['Lines 2', 11, 'row 10'],
        ['Lines 3', 6, 'row 20'],
      ],
    );
  });

  it('is the same bytes each time, and names no time of its own', async () => {
    const bytes = await bytesBy('xlsx', journal);
    assert.deepEqual(await bytesBy('xlsx', journal), bytes);
    assert.deepEqual([bytes.readUInt16LE(10), bytes.readUInt16LE(12)], [0, 0x21], '1980-01-01 00:00');
  });

  it('reads its rows no further when nobody reads the file any more, and fails when they fail', async () => {
    let read = 0;
    let isLetGo = false;
    const rows = async function* (end: number) {
      try {
        for (; read < end; read += 1) yield [textCell(`row ${read}`)];
        throw new Error('the rows end too early');
      } finally {
        isLetGo = true;
      }
    };
    for await (const _ of workbook([{ name: 'Lines', columns: [['A', 5]], rows: rows(1_000_000) }])) break;
    assert.ok(isLetGo && read < 1_000_000, `${read}`);
    read = 0;
    const failing = workbook([{ name: 'Lines', columns: [['A', 5]], rows: rows(25_000) }]);
    await assert.rejects(async () => {
      for await (const _ of failing);
    }, /the rows end too early/);
  });

  it('writes as text what has more digits than a spreadsheet keeps', async () => {
    const amount = 9_007_199_254_740_991;
    const postings = [
      { account: 'Assets:Bank:Main', amount, currency: 'EUR', propertyId: null },
      { account: 'Income:I3', amount: -amount, currency: 'EUR', propertyId: null },
    ];
    const lines = sheetsOf(
      await bytesBy('xlsx', journalOf({ entries: [entryOf({ id: 't1-1', date: '2026-01-01', postings })] })),
    ).get('Lines');
    assert.deepEqual(lines?.get('G2'), { kind: 'text', value: "'90071992547409.91" });
  });
});

describeWith(['unzip', 'python3'], 'xlsx in other programs', () => {
  it('is a package whose parts are well-formed and found by unzip', async () => {
    const bytes = await bytesBy('xlsx', hostile);
    const { code, err } = await ran('unzip', bytes, (file) => ['-tqq', file]);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    const parser =
      'import sys, zipfile, xml.dom.minidom as m\nz = zipfile.ZipFile(sys.argv[1])\nfor n in z.namelist(): m.parseString(z.read(n)); print(n)';
    const parsed = await ran('python3', bytes, (file) => ['-c', parser, file]);
    assert.equal(parsed.err, '');
    assert.deepEqual(parsed.out.trim().split('\n'), [...unzipped(bytes).keys()]);
  });
});

describeWith(['ofxdump'], 'ofx', () => {
  /** What ofxdump says of the transactions, by FITID. */
  async function dumped(bytes: Buffer): Promise<Map<string, Record<string, string>>> {
    const { out, code, err } = await ran('ofxdump', bytes, (file) => [file]);
    assert.equal(code, 0, err);
    const blocks = out.split('ofx_proc_transaction():').slice(1);
    return new Map(
      blocks.map((block) => {
        const said = Object.fromEntries(
          [...block.matchAll(/^ {4}([^:\n]+?) ?: (.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
        );
        return [said["Financial institution's ID for this transaction"] ?? '', said];
      }),
    );
  }

  it('ofxdump reads every line of each clearing account: id, day, amount', async () => {
    const files = await writtenBy('ofx', journal);
    assert.equal(files.length, 12);
    let read = 0;
    for (const { part, bytes } of files) {
      const found = await dumped(bytes);
      const account = `Assets:Clearing:${part.slice(0, -4)}`;
      const currency = part.slice(-3);
      const lines = entries.flatMap((entry) =>
        entry.postings.flatMap((posting, index) =>
          posting.account === account && posting.currency === currency ? [{ entry, index, posting }] : [],
        ),
      );
      assert.equal(found.size, lines.length, part);
      for (const { entry, index, posting } of lines) {
        const said = found.get(`${entry.reference}-${index + 1}`);
        assert.ok(said, entry.id);
        assert.equal(
          Number(said['Total money amount']).toFixed(2),
          (posting.amount / 10 ** exponentOf(currency)).toFixed(2),
          entry.id,
        );
        assert.equal(new Date(`${said['Date posted']?.slice(4)}`).toISOString().slice(0, 10), entry.date);
        read += 1;
      }
    }
    assert.ok(read > 300);
  });

  it('S26: texts make no line and no tag', async () => {
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = await writtenBy('ofx', hostile);
    const found = await dumped(bytes);
    assert.equal(found.size, texts.length);
    assert.ok([...found.values()].every((said) => Number(said['Total money amount']) === 12.5));
    const memos = bytes.toString('utf8').match(/<MEMO>[^<]*/g) ?? [];
    assert.ok(memos.every((memo) => memo.replace(/&(?:amp|lt|gt);/g, 'x').length <= '<MEMO>'.length + 255));
  });

  it('keeps account numbers within 22 signs and apart', async () => {
    const line = (account: string, amount: number) => ({ account, amount, currency: 'EUR', propertyId: null });
    const [one, other] = ['Assets:Clearing:A-very-long-marketplace-1', 'Assets:Clearing:A-very-long-marketplace-2'];
    const files = await writtenBy(
      'ofx',
      journalOf({ entries: [entryOf({ id: 't1-1', date: '2026-01-01', postings: [line(one, 5), line(other, -5)] })] }),
    );
    const ids = files.map(({ bytes }) => /<ACCTID>([^<]*)/.exec(bytes.toString())?.[1] ?? '');
    assert.equal(new Set(ids).size, 2);
    assert.ok(
      ids.every((id) => id.length <= 22),
      ids.join(),
    );
  });
});

describe('parquet', () => {
  it('hyparquet reads back every posting, a file per month, amounts as decimals over whole numbers', async () => {
    const files = await writtenBy('parquet', journal);
    assert.deepEqual(
      files.map(({ part }) => part),
      Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}`),
    );
    const rows = (await Promise.all(files.map(({ bytes }) => parquetReadObjects({ file: bufferOf(bytes) })))).flat();
    const given = sorted.flatMap((entry) => entry.postings.map((posting, index) => ({ entry, posting, index })));
    assert.equal(rows.length, given.length);
    for (const [at, row] of rows.entries()) {
      const { entry, posting, index } = given[at] ?? assert.fail();
      assert.deepEqual(
        [row['entry_id'], row['posting'], row['date'].toISOString().slice(0, 10), row['corrects'], row['account']],
        [entry.id, BigInt(index + 1), entry.date, entry.corrects, posting.account],
      );
      assert.deepEqual([row['amount_minor'], row['currency']], [BigInt(posting.amount), posting.currency]);
      assert.equal(row['amount'].toFixed(4), (posting.amount / 10 ** exponentOf(posting.currency)).toFixed(4));
      assert.deepEqual(row['property_id'], posting.propertyId === null ? null : BigInt(posting.propertyId));
    }
    const schema = parquetMetadata(bufferOf(files[0]?.bytes ?? Buffer.alloc(0))).schema.find(
      ({ name }) => name === 'amount',
    );
    assert.deepEqual([schema?.type, schema?.logical_type], ['INT64', { type: 'DECIMAL', precision: 18, scale: 4 }]);
  });

  it('gives texts back as they are, and has a file without any entry too', async () => {
    const rows = await parquetReadObjects({ file: bufferOf(await bytesBy('parquet', hostile)) });
    const descriptions = rows.filter((row) => row['posting'] === 1n).map((row) => row['description']);
    assert.deepEqual(
      descriptions,
      texts.map((text) =>
        Buffer.from(text)
          .toString()
          .replace(/^\ufeff/, ''),
      ),
    );
    assert.deepEqual(
      await parquetReadObjects({ file: bufferOf(await bytesBy('parquet', journalOf({ entries: [] }))) }),
      [],
    );
  });

  it('refuses an amount that does not fit rather than cutting it', async () => {
    const line = (account: string, amount: number) => ({ account, amount, currency: 'JPY', propertyId: null });
    const postings = [line('Assets:Bank:Main', 9e14), line('Income:I3', -9e14)];
    await assert.rejects(
      writtenBy('parquet', journalOf({ entries: [entryOf({ id: 't1-1', date: '2026-01-01', postings })] })),
      /entry t1-1: the amount is too large/,
    );
  });
});

describe('every format', () => {
  it('makes the same bytes of the same journal', async () => {
    for (const { name } of formats) {
      const once = () =>
        writtenBy(
          name,
          journalOf({ entries: takenBy(name, lifelikeEntries(400)), facts: { locked: LOCKED } }),
          OPTIONS[name],
        );
      const [first, second] = [await once(), await once()];
      assert.ok(first.length > 0 && first.every(({ bytes }) => bytes.length > 0), name);
      assert.deepEqual(first, second, name);
      const parts = first.map(({ part }) => part);
      assert.equal(new Set(parts).size, parts.length, name);
      assert.ok(
        parts.every((part) => /^[A-Za-z0-9-]*$/.test(part)),
        parts.join(),
      );
    }
  });

  it('never holds the whole journal: what waits is bounded while 16,000 entries go through', async () => {
    for (const { name, write } of formats) {
      const taken = takenBy(name, sorted);
      let asked = 0;
      let ahead = 0;
      let handed = 0;
      const streamed: Journal = {
        ...journalOf({ entries: taken, facts: { locked: LOCKED } }),
        async *entries() {
          for (let index = 0; index < 16_000; index += 1) {
            asked += 1;
            ahead = Math.max(ahead, asked - handed);
            yield repeated(taken, index);
          }
          asked = handed = 0;
        },
      };
      let largest = 0;
      for await (const { chunks } of write(streamed, OPTIONS[name] ?? {})) {
        for await (const chunk of chunks) {
          handed = asked;
          largest = Math.max(largest, chunk.length);
        }
      }
      // Parquet gathers a group of 20,000 postings, XLSX what the deflating holds back; a statement passes over what has
      // no line of its account.
      assert.ok(ahead < 13_000 && largest < 2_000_000, `${name}: ${ahead} entries ahead, a chunk of ${largest}`);
    }
  });
});

function repeated(entriesTaken: readonly JournalEntry[], index: number): JournalEntry {
  const entry = entriesTaken[Math.floor((index * entriesTaken.length) / 16_000)] ?? assert.fail();
  // Corrections stand on the sheet of exceptions too, so that each pass hands something on.
  return { ...entry, id: `${entry.id}x${index}`, corrects: 't1-1' };
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
