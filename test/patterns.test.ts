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
/** What no look may take on a machine that is fast enough; on a slower one, so many times what the plainest takes. */
const GOAL_MS = 10;
const PLAIN_TIMES = 3;
/** So often a slow one is tried again: it is the pattern that is measured, not the machine. */
const TRIES = 5;

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

/** Milliseconds of work for one look at a text. */
function msOf(look: (text: string) => unknown, text: string): number {
  const begun = process.cpuUsage();
  look(text);
  return process.cpuUsage(begun).user / 1_000;
}

const PLAIN_TEXT = 'a'.repeat(100_000);
/** The plainest pattern takes out sign after sign. It is timed beside each slow look: a machine changes its speed. */
const plainMs = () => msOf((text) => text.replaceAll(/a/g, ''), PLAIN_TEXT);

interface Look {
  ms: number;
  isSlow: boolean;
  input: string;
}

/** A look is slow if it is so in every try, each beside the plainest pattern at the same moment. */
function lookAt(look: (text: string) => unknown, text: string, input: string): Look {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ms = msOf(look, text);
    best = Math.min(best, ms);
    if (ms < GOAL_MS || ms < PLAIN_TIMES * plainMs()) return { ms: best, isSlow: false, input };
  }
  return { ms: best, isSlow: true, input };
}

const slower = (one: Look, other: Look) => (other.ms > one.ms ? other : one);

/** The slowest look at any of the inputs. All pieces are tried in short texts, the slowest of them in long ones. */
function slowest(look: (text: string) => unknown, source: string): Look {
  let pieces = piecesOf(source);
  let worst: Look = { ms: 0, isSlow: false, input: '' };
  for (const length of LENGTHS) {
    const seen: { piece: string; ms: number }[] = [];
    for (const piece of pieces) {
      const input = `${JSON.stringify(piece)}, ${length} signs`;
      const looks = inputsOf(piece, length).map((text) => lookAt(look, text, input));
      const slow = looks.find((one) => one.isSlow);
      if (slow !== undefined) return slow;
      const one = looks.reduce(slower);
      worst = slower(worst, one);
      seen.push({ piece, ms: one.ms });
    }
    seen.sort((a, b) => b.ms - a.ms);
    pieces = seen.slice(0, KEPT).map(({ piece }) => piece);
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
  it(`each of them looks at 100,000 hostile signs in less than ${GOAL_MS} ms, or ${PLAIN_TIMES} times what the plainest one takes`, (t) => {
    assert.ok(patterns.length > 60, `only ${patterns.length} patterns were found`);
    const seen = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
    let worst = 0;
    const slow: string[] = [];
    for (const [name, pattern] of seen) {
      const { ms, isSlow, input } = slowest(lookOf(pattern), pattern.source);
      worst = Math.max(worst, ms);
      if (isSlow) slow.push(`${pattern.where} ${name}: ${ms.toFixed(1)} ms for ${input}`);
    }
    t.diagnostic(
      `${seen.size} patterns, the slowest look ${worst.toFixed(1)} ms; the plainest pattern ${plainMs().toFixed(1)}`,
    );
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
      const { ms, isSlow, input } = slowest(read, "-−+€$EUR.,'’ :TZ/AaPpMm");
      worst = Math.max(worst, ms);
      assert.ok(!isSlow, `${what}: ${ms} ms for ${input}`);
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
      assert.ok(slowest(lookOf({ source, flags: '' }), source).isSlow, source);
    }
  });
});
