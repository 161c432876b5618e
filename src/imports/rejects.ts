import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import type { Rejection } from './outcome.ts';

const HEADER = 'line,field,reason,value\r\n';
/** Characters gathered before they are written. */
const BUFFER = 65_536;

/** Returns one line of CSV for one rejected row. Several problems are listed in the same order in each cell. */
function rejectLine({ line, problems }: Rejection): string {
  const listed = (part: 'field' | 'reason' | 'value') => problems.map((problem) => problem[part]).join('; ');
  return `${line},${cell(listed('field'))},${cell(listed('reason'))},${cell(listed('value'))}\r\n`;
}

/** Matches text that a spreadsheet takes for a formula, including full-width forms. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/;
const CONTROL = /^\s*[\t\r\n]/;
const NUMBER = /^-?\d+(?:[.,]\d+)*$/;

/** Returns text that a spreadsheet shows as text: a formula gets a leading `'`; numbers stay. */
export function harmless(text: string): string {
  return (FORMULA.test(text) || CONTROL.test(text)) && !NUMBER.test(text) ? `'${text}` : text;
}

function cell(text: string): string {
  const safe = harmless(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The rejects file of one run. It is written next to its final path and moved there by `close`, so an interrupted run
 * leaves the former file unchanged. Only its owner may read it, since it can contain guests' data.
 */
export class RejectsFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #waiting = HEADER;
  #rows = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<RejectsFile> {
    return new RejectsFile(path, await open(partOf(path), 'w', 0o600));
  }

  async write(rejection: Rejection): Promise<void> {
    this.#rows += 1;
    this.#waiting += rejectLine(rejection);
    if (this.#waiting.length >= BUFFER) await this.#flush();
  }

  /** Finishes the file and moves it to its path. With no rejected row it deletes the file and a former one. */
  async close(): Promise<void> {
    if (this.#rows === 0) {
      await this.abandon();
      await rm(this.#path, { force: true });
      return;
    }
    await this.#flush();
    await this.#handle.close();
    await rename(partOf(this.#path), this.#path);
  }

  /** Gives the file up, if it is not closed yet. A former file stays. */
  async abandon(): Promise<void> {
    await this.#handle.close();
    await rm(partOf(this.#path), { force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    await this.#handle.writeFile(text);
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}
