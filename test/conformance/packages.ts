import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Outside of the production tree, and of git; may be deleted at any time. */
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));

/** Thrown when packages that a part needs cannot be had. */
export class NoPackages extends Error {}

export interface Wanted {
  /** Folder within the cache. */
  readonly folder: string;
  /** Exact versions by name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages that may run a script during their installation. */
  readonly scripts?: readonly string[];
}

/**
 * Fetches packages from the npm registry into a folder of their own unless they are there already.
 * @returns the folder
 * @throws NoPackages when the registry cannot be reached
 */
export async function fetchPackages(
  { folder: name, packages, scripts = [] }: Wanted,
  say: (text: string) => void,
): Promise<string> {
  const folder = join(CACHE, name);
  const allowScripts = Object.fromEntries(scripts.map((one) => [one, true]));
  const manifest = `${JSON.stringify({ private: true, dependencies: packages, allowScripts }, null, 2)}\n`;
  const stamp = join(folder, 'fetched.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return folder;
  const wanted = Object.entries(packages).map(([one, version]) => `${one}@${version}`);
  say(`fetching ${wanted.join(', ')} from the npm registry`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  const quiet = ['--no-audit', '--no-fund', ...(scripts.length === 0 ? ['--ignore-scripts'] : [])];
  const { code, output } = await run('npm', ['install', ...quiet], folder);
  if (code !== 0) {
    throw new NoPackages(
      `the npm registry cannot be reached, or does not have ${wanted.join(', ')}; nothing was run.\n${output.trimEnd()}`,
    );
  }
  writeFileSync(stamp, manifest);
  return folder;
}

export interface Ran {
  code: number;
  output: string;
}

/** Runs a command to its end; `onOutput` is told all that it has printed so far. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  { env = {}, onOutput = () => {} }: { env?: NodeJS.ProcessEnv; onOutput?: (output: string) => void } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        onOutput(output);
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
