import { cycleIn } from './cycle.ts';
import type { Import, Source, Violation } from './source.ts';

/** Paths below `src/`, in words and as a pattern. */
interface Pattern {
  words: string;
  paths: RegExp;
}

/**
 * Who may import whom: a room is a folder of `src/` or a file directly in it. What is allowed is a room, a
 * folder or file of one (without its ending), or a pattern. Every room may import itself and `kernel`.
 */
const MAY_IMPORT: Record<string, (string | Pattern)[]> = {
  main: ['compose', 'config', 'cli'],
  compose: [{ words: 'everything except main and cli', paths: /^(?!main\.ts$|cli\/)/ }],
  cli: ['compose', 'client', 'config'],
  api: ['oauth', 'core', 'channels', 'sandbox', 'imports', 'contract'],
  oauth: ['core/accounts', 'contract', 'store', 'outbound'],
  core: ['store', 'contract', 'outbound'],
  channels: ['core', 'contract', 'store', 'outbound'],
  sandbox: ['core', 'contract', 'store', 'outbound'],
  imports: ['core', 'contract', 'store', 'outbound'],
  sync: ['client', 'store', 'contract', 'outbound'],
  automations: ['sync', 'client', 'store', 'contract', 'outbound'],
  endpoints: ['sync', 'client', 'store', 'contract', 'outbound'],
  broker: ['sync', 'client', 'store', 'contract', 'outbound'],
  comparisons: ['sync', 'client', 'store', 'contract', 'outbound'],
  notices: ['sync', 'client', 'store', 'contract', 'outbound'],
  exports: ['sync', 'client', 'store', 'contract', 'outbound'],
  reports: ['sync', 'client', 'store', 'contract', 'outbound'],
  // A half shows the console what it holds through files or folders called `read`.
  console: ['client', 'contract', 'store', { words: 'files and folders called `read`', paths: /\/read(\.ts$|\/)/ }],
  client: ['contract'],
  outbound: [],
  contract: [],
  store: [],
  config: [],
  kernel: [],
  migrations: ['store'],
};

/**
 * The rooms of `sync`, each below those that may import it: a room imports itself and those before it. The two that
 * stand side by side do not know each other.
 */
const SYNC_ROOMS = [
  ['budget'],
  ['tables'],
  ['feed'],
  ['read'],
  ['privacy'],
  ['trust'],
  ['queue'],
  ['apply'],
  ['scans'],
  ['refetch', 'ingest'],
  ['connection'],
];

/** The table of imports as a page shows it: rooms that may import the same share a row. */
export function importTable(): string {
  const rooms = new Map<string, string[]>();
  for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
    const words = allowed.map((one) => (typeof one === 'string' ? one : one.words)).join(', ') || 'nothing else';
    rooms.set(words, [...(rooms.get(words) ?? []), room]);
  }
  const rows = [...rooms].map(([allowed, names]) => `| ${names.join(', ')} | ${allowed} |`);
  return ['| folder | may import |', '|---|---|', ...rows].join('\n');
}

/** Packages that only some rooms may know. */
const PACKAGE_HOMES: Record<string, string[]> = {
  undici: ['outbound', 'client'],
  'better-sqlite3': ['store'],
  pg: ['store'],
};

const FORBIDDEN_FOLDERS = new Set(['utils', 'helpers', 'common', 'lib', 'types', 'services']);

/** `core` for `src/core/limits/rules.ts`, `main` for `src/main.ts`, undefined outside `src/` and `migrations/`. */
function roomOf(file: string): string | undefined {
  const [top, first = ''] = file.split('/');
  if (top === 'migrations') return top;
  return top === 'src' ? first.replace(/\.ts$/, '') : undefined;
}

/** Imports that the table above does not allow, in the rooms of the program itself. */
export function forbiddenImports(source: Source): Violation[] {
  return source.imports.flatMap((one) => {
    const problem = one.file === undefined ? packageProblem(source.file, one) : importProblem(source.file, one.file);
    return problem === undefined ? [] : [{ file: source.file, line: one.line, problem }];
  });
}

function importProblem(from: string, to: string): string | undefined {
  const room = roomOf(from) ?? '';
  const targetRoom = roomOf(to);
  const allowed = MAY_IMPORT[room];
  if (!allowed) return `${room} has no row in the table of rooms`;
  if (targetRoom === undefined) return `${to} lies outside of src`;
  const path = to.replace(/^src\//, '');
  const mayImport =
    targetRoom === room ||
    targetRoom === 'kernel' ||
    allowed.some((rule) => (typeof rule === 'string' ? isWithin(path, rule) : rule.paths.test(path)));
  if (!mayImport) return `${room} may not import ${path}`;
  return upwardImport(from, to) ?? otherResourcesTable(from, to);
}

/** An import within `sync` that goes against the life of an event. */
function upwardImport(from: string, to: string): string | undefined {
  const [room, target] = [from, to].map((file) => /^src\/sync\/([^/.]+)\//.exec(file)?.[1]);
  if (room === undefined || target === undefined || room === target) return undefined;
  const [place, targetPlace] = [room, target].map((name) => SYNC_ROOMS.findIndex((rooms) => rooms.includes(name)));
  if (place === -1) return `${room} has no place among the rooms of sync`;
  return (targetPlace ?? -1) < (place ?? -1) ? undefined : `${room} may not import ${to.replace(/^src\//, '')}`;
}

function isWithin(path: string, place: string): boolean {
  return path === `${place}.ts` || path.startsWith(`${place}/`);
}

/** A resource of core asks its neighbour's rules or handlers, never its tables. */
function otherResourcesTable(from: string, to: string): string | undefined {
  const table = /^src\/core\/(.+)\/table(\.ts$|\/)/.exec(to)?.[1];
  if (table === undefined || !/^src\/(core|sandbox|imports)\//.test(from)) return undefined;
  if (from.startsWith(`src/core/${table}/`)) return undefined;
  return `the table of ${table} is its own; ask what ${table} exports from rules or handlers`;
}

function packageProblem(from: string, { specifier }: Import): string | undefined {
  const name = specifier.split('/', 1)[0] ?? '';
  const homes = PACKAGE_HOMES[name];
  if (!homes || homes.includes(roomOf(from) ?? '')) return undefined;
  return `only ${homes.map((home) => `src/${home}`).join(' and ')} may import ${name}`;
}

/** The first cycle between files and the first one between rooms, if there are any. */
export function importCycles(sources: readonly Source[]): Violation[] {
  const files = new Map<string, Set<string>>();
  const rooms = new Map<string, Set<string>>();
  for (const { file, imports } of sources) {
    for (const { file: to } of imports) if (to !== undefined) connect(files, file, to);
    for (const { file: to } of imports) {
      const [room, targetRoom] = [roomOf(file), to && roomOf(to)];
      if (room !== undefined && targetRoom !== undefined && room !== targetRoom) connect(rooms, room, targetRoom);
    }
  }
  return [cycleIn(files), cycleIn(rooms)]
    .filter((cycle) => cycle !== undefined)
    .map((cycle) => ({ file: cycle[0] ?? '', line: 1, problem: `imports go round: ${cycle.join(' → ')}` }));
}

function connect(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

export function forbiddenFolders(file: string): Violation[] {
  return file
    .split('/')
    .slice(0, -1)
    .filter((folder) => FORBIDDEN_FOLDERS.has(folder))
    .map((folder) => ({ file, line: 1, problem: `a folder called ${folder} says nothing about what is in it` }));
}

/** A folder holds so many files side by side. */
const MOST_FILES = 22;
/** Folders whose files are all of one kind, one for each thing: they are looked up, not read through. */
const CATALOGS = new Set(['src/contract', 'src/cli', 'migrations/bridge/core', 'migrations/bridge/mirror']);

export function crowdedFolders(sources: readonly Source[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { file } of sources) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MOST_FILES && !CATALOGS.has(folder))
    .map(([file, count]) => ({
      file,
      line: 1,
      problem: `${file} holds ${count} files: give some of them a folder of their own`,
    }));
}
