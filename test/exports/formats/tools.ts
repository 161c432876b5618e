import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/**
 * `describe` for tests that need programs of the books. Where one is not installed one line says what was not run; in CI
 * that is a failure.
 */
export function describeWith(programs: readonly string[], name: string, body: () => void): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length === 0) {
    describe(name, body);
    return;
  }
  console.log(`no ${missing.join(', ')} here: "${name}" was not run`);
  test(`${name}: may be left out on this machine`, () => {
    assert.equal(process.env['CI'], undefined, `CI needs ${missing.join(', ')}`);
  });
}

/** Runs a program of the books on a file of this content; fails when the program is not installed. */
export async function ran(
  program: string,
  content: string | Uint8Array,
  args: (file: string) => string[],
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-books-'));
  const file = join(folder, 'books.journal');
  try {
    writeFileSync(file, content);
    return await run(program, args(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(program: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // A user's own settings of these programs must not count here.
    const child = spawn(program, args, {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }));
  });
}
