import { join } from 'node:path';
import { fetchPackages, type Ran, run } from './packages.ts';

const SUITE = { '@modelcontextprotocol/conformance': '0.2.0-alpha.12' };
/** The suite runs on no older one; where this process does, it is fetched too. */
const NODE = { node: '24.21.0' };
const OLDEST_NODE = 22;

/** The official suite, ready to be run. */
export interface Suite {
  /** Runs one command of it; `onOutput` is told all that it has printed so far. */
  run(args: readonly string[], onOutput?: (output: string) => void): Promise<Ran>;
}

/**
 * Fetches the suite from the npm registry unless it is here already.
 * @throws NoPackages when the registry cannot be reached
 */
export async function fetchSuite(say: (text: string) => void): Promise<Suite> {
  const isNew = Number(process.versions.node.split('.', 1)[0]) >= OLDEST_NODE;
  const packages = { ...SUITE, ...(!isNew && NODE) };
  const folder = await fetchPackages({ folder: 'conformance', packages, scripts: ['node'] }, say);
  const node = isNew ? process.execPath : join(folder, 'node_modules', 'node', 'bin', 'node');
  const program = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  return { run: (args, onOutput) => run(node, [program, ...args], folder, onOutput && { onOutput }) };
}
