import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How a text of a page is run: by its language. */
const RUNNERS: Readonly<Record<string, (file: string) => readonly [command: string, ...rest: string[]]>> = {
  curl: (file) => ['sh', file],
  shell: (file) => ['sh', file],
  python: (file) => ['python3', file],
  typescript: (file) => [process.execPath, '--import', 'tsx', file],
};
const ENDINGS: Readonly<Record<string, string>> = { curl: 'sh', shell: 'sh', python: 'py', typescript: 'mts' };

/** Runs a text as a program, with further files beside it. */
export async function runProgram(
  language: string,
  text: string,
  { env = {}, files = {} }: { env?: Record<string, string>; files?: Record<string, string | Buffer> } = {},
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-sample-'));
  try {
    const file = join(folder, `sample.${ENDINGS[language]}`);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    writeFileSync(file, text);
    const [command = '', ...args] = RUNNERS[language]?.(file) ?? [];
    // The loader of TypeScript is found from the project; everything else from beside the program.
    const cwd = language === 'typescript' ? ROOT : folder;
    const child = spawn(command, args, { cwd, env: { PATH: process.env['PATH'], ...env } });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    child.stdin.end();
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out, err };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the texts of a part of a page that are there to be copied, by the titles above them. */
export function codeIn(part: string): Map<string, string> {
  const found = part.matchAll(/<figcaption>\s*<span>([^<]*)<\/span>[^]*?<code>([^]*?)<\/code>/g);
  return new Map([...found].map(([, title = '', text = '']) => [title, plainOf(text)]));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function plainOf(html: string): string {
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** Returns the part of a page that describes an operation or an event. */
export function sectionOf(page: string, id: string): string {
  return page.slice(page.indexOf(`<section class="operation" id="${id}"`)).split('</section>')[0] ?? '';
}
