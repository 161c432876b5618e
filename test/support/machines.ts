import { readdirSync, readFileSync } from 'node:fs';
import { drawMermaid, drawTable, type Machine } from '../../src/kernel/transitions.ts';

const SRC = new URL('../../src/', import.meta.url);
const HERE = 'kernel/transitions.ts';

/** A machine and the file below `src/` that declares it. */
export interface Declared {
  file: string;
  machine: Machine;
}

/** Finds every machine that the program declares, so that none can be left out. @throws Error for one that is not exported */
export async function declaredMachines(): Promise<Declared[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found: Declared[] = [];
  for (const file of files.toSorted()) {
    const count = file === HERE ? 0 : readFileSync(new URL(file, SRC), 'utf8').split(' machine({').length - 1;
    if (count === 0) continue;
    const exported = Object.values((await import(`../../src/${file}`)) as object).filter(isMachine);
    if (exported.length !== count) throw new Error(`${file} declares ${count} machines and exports ${exported.length}`);
    found.push(...exported.map((machine) => ({ file, machine })));
  }
  return found;
}

function isMachine(value: unknown): value is Machine {
  return typeof value === 'object' && value !== null && 'states' in value && 'rows' in value && 'before' in value;
}

const HEAD = [
  '# State machines',
  '',
  'Made from the tables in the source; do not edit. A machine says which states a thing can be in and what leads from one',
  'to the next; whatever its table does not hold is refused. `[*]` and – stand for a thing that is not there: not made yet,',
  'or deleted.',
].join('\n');

/** Returns the text of `docs/states.md`. */
export function renderStates(machines: readonly Declared[]): string {
  const parts = machines.map(({ file, machine }) => {
    const title = `## ${machine.name}`;
    const is = `${machine.is} Declared in [src/${file}](../src/${file}).`;
    return [title, '', is, '', '```mermaid', drawMermaid(machine), '```', '', drawTable(machine)].join('\n');
  });
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}
