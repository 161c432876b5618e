import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/kernel/program/packageRoot.ts';
import type { Reached } from '../../support/service.ts';
import type { Fence } from './fences.ts';

/** A command that did not do what its page says. */
export interface Mishap {
  where: string;
  what: string;
}

/** The address that the pages call the service by. */
const WRITTEN = /(127\.0\.0\.1|localhost):8484/g;
/** What of a checkout commands name. */
const NAMED = ['stayd', 'config', 'integrations', 'package.json'];

/**
 * What comes before the commands. Each answer of curl is noted with the line it was asked on; so is each command that fails.
 * A stream is listened to for a moment.
 */
const PROLOGUE = `
set -E -o pipefail
curl() {
  local line=\${BASH_LINENO[0]} longest=60
  case "$*" in *changes/stream*) longest=2 ;; esac
  command curl -sS --max-time $longest -o .body -w "%{stderr}curl $line %{http_code} %{method} %{url_effective}\\n" "$@" 2>>.calls
  local code=$?
  printf 'body %s ' "$line" >>.calls
  [ -f .body ] && head -c 600 .body | tr '\\n' ' ' >>.calls
  echo >>.calls
  [ -f .body ] && cat .body
  rm -f .body
  [ $longest = 2 ] && return 0
  return $code
}
trap 'failed=$?; case "$BASH_COMMAND" in "return "*|"command curl "*) ;; *) echo "failed $LINENO $failed $BASH_COMMAND" >>.calls ;; esac' ERR
`;

/** Runs the blocks of one page in one shell, in a folder that looks like a checkout with the data of the service. */
export async function runPage(
  service: Reached,
  folder: string,
  fences: readonly Fence[],
): Promise<{ mishaps: Mishap[]; said: string }> {
  mkdirSync(folder, { recursive: true });
  for (const name of NAMED)
    if (!existsSync(join(folder, name))) symlinkSync(join(packageRoot(), name), join(folder, name));
  if (!existsSync(join(folder, 'data'))) symlinkSync(service.dataDir ?? '', join(folder, 'data'));
  const lines = PROLOGUE.split('\n');
  const places = new Map<number, string>();
  for (const { page, line, text } of fences) {
    text.split('\n').forEach((command, index) => {
      lines.push(command.replaceAll(WRITTEN, `$1:${new URL(service.url).port}`));
      places.set(lines.length, `${page}:${line + index}`);
    });
  }
  writeFileSync(join(folder, '.script'), lines.join('\n'));
  writeFileSync(join(folder, '.calls'), '');
  const child = spawn('bash', ['.script'], {
    cwd: folder,
    env: { ...process.env, STAYD_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  await once(child, 'close');
  return { mishaps: mishapsIn(readFileSync(join(folder, '.calls'), 'utf8'), places), said };
}

function mishapsIn(calls: string, places: ReadonlyMap<number, string>): Mishap[] {
  const mishaps: Mishap[] = [];
  let asked = '';
  for (const entry of calls.split('\n')) {
    const [kind, line, ...rest] = entry.split(' ');
    const where = places.get(Number(line)) ?? `line ${line}`;
    if (kind === 'curl') asked = rest.join(' ');
    else if (kind === 'failed') mishaps.push({ where, what: `exit code ${rest.join(' ')}` });
    else if (kind === 'body' && !isFine(asked, rest.join(' ')))
      mishaps.push({ where, what: `${asked} ${rest.join(' ')}` });
  }
  return mishaps;
}

function isFine(asked: string, body: string): boolean {
  const code = /"error_code":\s*(\d+)/.exec(body)?.[1];
  return asked.startsWith('2') && (code === undefined || code === '0' || code === '200');
}
