import { parse } from 'csv-parse/sync';
import type { Reason } from '../outcome.ts';

/** Most lines of a quoted cell. A quote that stays open longer is a stray one. */
const MOST_LINES = 100;
/** Records split at once. The worst case (every one of several lines) is two milliseconds of work. */
const BATCH = 32;
/** Characters of a broken line in the rejects file. */
const SHOWN_CHARACTERS = 200;

export type CsvRecord = { line: number; cells: string[] } | { line: number; problem: Reason; text: string };

/** A record between lines and cells. `size` is its number of lines. */
interface Candidate {
  line: number;
  size: number;
  text: string;
  cells?: string[];
  problem?: Reason;
}

interface Table {
  delimiter: string;
  /** Set by the first record, the header; 0 before it. */
  columns: number;
}

/**
 * Splits lines into records, in batches. The first batch is the header alone, and every record must have as many
 * columns. Blank lines are skipped.
 *
 * csv-parse alone gives up, or consumes the rest of the file, at one stray quote. Lines are therefore first gathered
 * into records (a record is complete when its quotes are even). A broken record of several lines costs only its first
 * line: the following lines are tried again on their own.
 */
export async function* readRecords(batches: AsyncIterable<string[]>, delimiter: string): AsyncGenerator<CsvRecord[]> {
  const table: Table = { delimiter, columns: 0 };
  let waiting: string[] = [];
  let line = 1;
  for await (const lines of batches) {
    waiting = waiting.concat(lines);
    const taken = yield* cut(waiting, line, table, false);
    waiting = waiting.slice(taken);
    line += taken;
  }
  yield* cut(waiting, line, table, true);
}

/** @returns the number of lines that were consumed; the others wait for the following ones */
function* cut(
  lines: readonly string[],
  firstLine: number,
  table: Table,
  isEnd: boolean,
): Generator<CsvRecord[], number> {
  let at = 0;
  let batch: Candidate[] = [];
  while (at < lines.length) {
    if (isBlank(lines[at] ?? '', table.delimiter)) {
      at += 1;
      continue;
    }
    const size = recordSize(lines, at);
    if (size === undefined && !isEnd && lines.length - at < MOST_LINES) break;
    const candidate = candidateOf(lines.slice(at, at + (size ?? 1)), firstLine + at, size !== undefined, table);
    batch.push(candidate);
    at += candidate.size;
    if (batch.length === BATCH || table.columns === 0) {
      yield finish(batch, table);
      batch = [];
    }
  }
  if (batch.length > 0) yield finish(batch, table);
  return at;
}

/** Returns the number of lines until the quotes are even; undefined when they are not within reach. */
function recordSize(lines: readonly string[], at: number): number | undefined {
  let quotes = 0;
  for (let size = 1; size <= MOST_LINES && at + size <= lines.length; size += 1) {
    quotes += quotesIn(lines[at + size - 1] ?? '');
    if (quotes % 2 === 0) return size;
  }
  return undefined;
}

/**
 * Returns a candidate. Records of several lines are validated at once, since their other lines can be released only
 * now.
 */
function candidateOf(lines: readonly string[], line: number, isClosed: boolean, table: Table): Candidate {
  const first = { line, size: 1, text: lines[0] ?? '' };
  if (!isClosed) return { ...first, problem: 'quote not closed' };
  if (lines.length === 1) return first;
  const text = lines.join('\n');
  const cells = cellsOf(text, table);
  if (cells && (table.columns === 0 || fits(cells, table))) return { line, size: lines.length, text, cells };
  return { ...first, problem: cells ? 'wrong number of columns' : 'quote out of place' };
}

function finish(batch: readonly Candidate[], table: Table): CsvRecord[] {
  const uncut = batch.filter((candidate) => !candidate.cells && !candidate.problem);
  const together = cutAll(
    uncut.map((candidate) => candidate.text),
    table,
  );
  for (const [index, candidate] of uncut.entries()) {
    const cells = together ? together[index] : cellsOf(candidate.text, table);
    if (cells) candidate.cells = cells;
    else candidate.problem = 'quote out of place';
  }
  return batch.map((candidate) => recordOf(candidate, table));
}

function recordOf({ line, text, cells, problem }: Candidate, table: Table): CsvRecord {
  if (cells && table.columns === 0) table.columns = cells.length;
  if (cells && fits(cells, table)) return { line, cells };
  return { line, problem: problem ?? 'wrong number of columns', text: text.slice(0, SHOWN_CHARACTERS) };
}

/**
 * Returns true for a matching number of cells. Empty cells after the last column are harmless: many programs end each
 * row with a delimiter.
 */
function fits(cells: readonly string[], table: Table): boolean {
  return cells.length >= table.columns && cells.slice(table.columns).every((cell) => cell.trim() === '');
}

function cellsOf(text: string, table: Table): string[] | undefined {
  return cutAll([text], table)?.[0];
}

/** Splits complete records into cells; undefined when a quote is misplaced. */
function cutAll(texts: readonly string[], { delimiter }: Table): string[][] | undefined {
  // A record without quotes is its text split at the delimiters, which is ten times as fast.
  if (!texts.some((text) => text.includes('"'))) return texts.map((text) => text.split(delimiter));
  try {
    const records = parse(texts.join('\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      trim: true,
    });
    return records.length === texts.length ? records : undefined;
  } catch {
    return undefined;
  }
}

function isBlank(line: string, delimiter: string): boolean {
  if (line !== '' && !line.startsWith(delimiter) && !line.startsWith(' ')) return false;
  return line.replaceAll(delimiter, '').trim() === '';
}

function quotesIn(line: string): number {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count += 1;
  return count;
}
