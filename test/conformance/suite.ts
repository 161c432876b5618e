import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Outside of the production tree, and of git; may be deleted at any time. */
const FOLDER = fileURLToPath(new URL('../../.cache/conformance/', import.meta.url));
const SUITE = { '@modelcontextprotocol/conformance': '0.2.0-alpha.12' };
/** The suite runs on no older one; where this process does, it is fetched too. */
const NODE = { node: '24.21.0' };
const OLDEST_NODE = 22;

/** Thrown when the suite cannot be had. */
export class NoSuite extends Error {}

export interface Ran {
  code: number;
  output: string;
}

/** The official suite, ready to be run. */
export interface Suite {
  /** Runs one command of it; `onOutput` is told all that it has printed so far. */
  run(args: readonly string[], onOutput?: (output: string) => void): Promise<Ran>;
}

/**
 * Fetches the suite from the npm registry unless it is here already.
 * @throws NoSuite when the registry cannot be reached
 */
export async function fetchSuite(say: (text: string) => void): Promise<Suite> {
  const isNew = Number(process.versions.node.split('.', 1)[0]) >= OLDEST_NODE;
  const dependencies = { ...SUITE, ...(!isNew && NODE) };
  const manifest = `${JSON.stringify({ private: true, dependencies, allowScripts: { node: true } }, null, 2)}\n`;
  const stamp = join(FOLDER, 'fetched.json');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== manifest) {
    const wanted = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
    say(`fetching ${wanted.join(' and ')} from the npm registry`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'package.json'), manifest);
    const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund'], FOLDER);
    if (code !== 0) {
      throw new NoSuite(
        `the npm registry cannot be reached, or does not have the suite; nothing was run.\n${output.trimEnd()}`,
      );
    }
    writeFileSync(stamp, manifest);
  }
  const node = isNew ? process.execPath : join(FOLDER, 'node_modules', 'node', 'bin', 'node');
  const program = join(FOLDER, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  return { run: (args, onOutput) => run(node, [program, ...args], FOLDER, onOutput) };
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  onOutput: (output: string) => void = () => {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
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
