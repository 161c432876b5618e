import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { momentParser } from '../src/imports/fields/dateFormats.ts';
import { decimalSigns, type NumberFormat, numberReader, thousandsSigns } from '../src/imports/fields/numbers.ts';
import { nameOf, parseSource } from './scripts/architecture/source.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The shorter ones show what would never end with the longest. */
const LENGTHS = [20, 23, 26, 29, 60, 400, 8_000, 100_000];
/** Pieces that are tried in the next longer text. */
const KEPT = 12;
/** What no look may take, on a machine on which the plainest pattern takes a third of it at most. */
const GOAL_MS = 10;
/** So often a slow one is tried again: it is the pattern that is measured, not the machine. */
const TRIES = 3;

interface Pattern {
  where: string;
  source: string;
  flags: string;
}

/** Every pattern that stands in the program; one that is made at run time is named with what makes it. */
function patternsIn(file: string, text: string): { patterns: Pattern[]; made: string[] } {
  const source = parseSource(file, text);
  const patterns: Pattern[] = [];
  const made: string[] = [];
  for (const { node } of source.places) {
    const where = () => `${file}:${source.at(node, '').line}`;
    if (node.type === 'Literal' && 'regex' in node && node.regex) {
      patterns.push({ where: where(), source: node.regex.pattern, flags: node.regex.flags });
    }
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && nameOf(node.callee) === 'RegExp') {
      made.push(where());
    }
  }
  return { patterns, made };
}

/** Pieces that patterns stumble over: what stands in it, what classes stand for, and what is common. */
function piecesOf(source: string): string[] {
  const literals = source.replaceAll(/\\[a-zA-Z]|[[\](){}|^$*+?\\]/g, '');
  const common = [
    'a',
    'A',
    '0',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '.',
    '-',
    '_',
    '%',
    '/',
    ',',
    '"',
    "'",
    ':',
    'ä',
    '\u00a0',
    '€',
    '１',
  ];
  const pairs = [
    'a ',
    ' a',
    'a.',
    '0.',
    '0,',
    '0-',
    'a@',
    'a=',
    '::',
    '<a',
    '&a',
    '{a',
    '\\a',
    '00:',
    '1 1',
    'a\n',
    'Aa0',
  ];
  const own = [...new Set(literals)];
  const short = literals.length <= 40 ? [literals] : [literals.slice(0, 20), literals.slice(-20)];
  return [
    ...new Set([
      ...common,
      ...pairs,
      ...own,
      ...short,
      ...own.map((sign) => `${sign}a`),
      ...own.map((sign) => `0${sign}`),
    ]),
  ].filter((piece) => piece !== '');
}

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** All of one piece with an end that does not fit, and with a beginning that does not fit either. */
function inputsOf(piece: string, length: number): string[] {
  const text = filled(piece, length);
  return [`${text}\0`, `\0${text}\0`];
}

/** Milliseconds of work for one look at a text: the best of some tries where the first is too long. */
function timeOf(look: (text: string) => unknown, text: string, limit = LIMIT_MS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best >= limit; tries += 1) {
    const begun = process.cpuUsage();
    look(text);
    best = Math.min(best, process.cpuUsage(begun).user / 1_000);
  }
  return best;
}

/** A machine that is busy, or slow, needs longer for every pattern: for one that takes out sign after sign, too. */
const LIMIT_MS = Math.max(GOAL_MS, 3 * timeOf((text) => text.replaceAll(/a/g, ''), 'a'.repeat(100_000), 0));

interface Slowest {
  ms: number;
  input: string;
}

/** The slowest look at any of the inputs. All pieces are tried in short texts, the slowest of them in long ones. */
function slowest(look: (text: string) => unknown, source: string): Slowest {
  let pieces = piecesOf(source);
  let worst: Slowest = { ms: 0, input: '' };
  for (const length of LENGTHS) {
    const times: { piece: string; ms: number }[] = [];
    for (const piece of pieces) {
      const ms = Math.max(...inputsOf(piece, length).map((text) => timeOf(look, text)));
      if (ms > worst.ms) worst = { ms, input: `${JSON.stringify(piece)}, ${length} signs` };
      if (ms >= LIMIT_MS) return worst;
      times.push({ piece, ms });
    }
    times.sort((a, b) => b.ms - a.ms);
    pieces = times.slice(0, KEPT).map(({ piece }) => piece);
  }
  return worst;
}

function lookOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): (text: string) => unknown {
  const pattern = new RegExp(source, flags);
  return (text) => (pattern.global ? text.replaceAll(pattern, '') : text.search(pattern));
}

const files = ['src', 'migrations'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);
const found = files.map((file) => patternsIn(file, readFileSync(join(ROOT, file), 'utf8')));
const patterns = found.flatMap((one) => one.patterns);

describe('S14: patterns', () => {
  it(`each of them looks at 100,000 hostile signs in less than ${GOAL_MS} ms, or three times what the plainest one takes`, (t) => {
    assert.ok(patterns.length > 60, `only ${patterns.length} patterns were found`);
    const seen = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
    let worst = 0;
    const slow: string[] = [];
    for (const [name, pattern] of seen) {
      const { ms, input } = slowest(lookOf(pattern), pattern.source);
      worst = Math.max(worst, ms);
      if (ms >= LIMIT_MS) slow.push(`${pattern.where} ${name}: ${ms.toFixed(1)} ms for ${input}`);
    }
    t.diagnostic(`${seen.size} patterns, the slowest look ${worst.toFixed(1)} ms of ${LIMIT_MS.toFixed(1)}`);
    assert.deepEqual(slow, []);
  });

  it('that read the dates and numbers of imported files are as fast, whatever the format', (t) => {
    const formats = ['YYYY-MM-DD', 'DD.MM.YYYY', 'D/M/YY', 'MMM D, YYYY', 'D. MMMM YYYY', 'YYYYMMDD'];
    const readers: [what: string, read: (text: string) => unknown][] = [
      ...formats.map((format): [string, (text: string) => unknown] => [format, momentParser([format], new Map())]),
      ...Object.keys(decimalSigns).flatMap((decimal) =>
        Object.keys(thousandsSigns).map((thousands): [string, (text: string) => unknown] => [
          `${decimal} ${thousands}`,
          numberReader({ decimal, thousands } as NumberFormat),
        ]),
      ),
    ];
    let worst = 0;
    for (const [what, read] of readers) {
      const { ms, input } = slowest(read, "-−+€$EUR.,'’ :TZ/AaPpMm");
      worst = Math.max(worst, ms);
      assert.ok(ms < LIMIT_MS, `${what}: ${ms} ms for ${input}`);
    }
    t.diagnostic(`${readers.length} readers, the slowest look ${worst.toFixed(1)} ms`);
  });

  it('made at run time are the known ones, from words of the program itself', () => {
    assert.deepEqual(
      found.flatMap((one) => one.made).map((where) => where.replace(/:\d+$/, '')),
      ['src/config.ts', 'src/imports/fields/dateFormats.ts', 'src/imports/fields/numbers.ts'],
    );
  });

  it('that are slow would be found', () => {
    for (const source of ['^(a+)+$', '\\s+$', '(\\d+)*,$']) {
      assert.ok(slowest(lookOf({ source, flags: '' }), source).ms >= LIMIT_MS, source);
    }
  });
});
