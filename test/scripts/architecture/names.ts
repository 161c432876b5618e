import type { Node } from 'oxc-parser';
import { globalReferences } from './scope.ts';
import { nameOf, propertyOf, type Source, type Violation } from './source.ts';

/** Where time, randomness, the network and the environment enter; everywhere else they are arguments. */
const EDGE = new Set(['src/kernel/clock.ts', 'src/kernel/random.ts', 'src/config.ts', 'src/main.ts']);
/** What runs there has the network and the clock of the reader's browser. */
const IN_A_BROWSER = /^src\/(console|api\/docs)\/browser\//;
const ENVIRONMENT_READER = 'src/config.ts';

const CLOCK = 'time comes from a Clock';
const RANDOM = 'randomness comes from a Random';
const WAY_OUT = 'HTTP goes out through src/outbound or src/client';
const ENVIRONMENT = `only ${ENVIRONMENT_READER} reads the environment`;
const ESCAPE = 'a global reached this way escapes this check';

/** Globals that must not be named, and why. `setImmediate` is free: it takes no time. */
const GLOBALS: Record<string, string> = {
  fetch: WAY_OUT,
  setTimeout: CLOCK,
  setInterval: CLOCK,
  globalThis: ESCAPE,
  global: ESCAPE,
};
const GLOBAL_NAMES = new Set(Object.keys(GLOBALS));

/** Properties of globals that must not be used, and why. */
const MEMBERS: Record<string, Record<string, string>> = {
  Date: { now: CLOCK },
  performance: { now: CLOCK },
  Temporal: { Now: CLOCK },
  Math: { random: RANDOM },
  process: { env: ENVIRONMENT, hrtime: CLOCK },
};

/** Members of `node:crypto` and of the global `crypto`, under whatever name that goes. */
const RANDOM_SOURCES = new Set([
  'randomUUID',
  'randomBytes',
  'randomInt',
  'randomFill',
  'randomFillSync',
  'getRandomValues',
]);

interface Finding {
  node: Node;
  name: string;
  why: string;
}

/** Clocks, random sources, the network and the environment, used beside the ports that stand for them. */
export function forbiddenNames(source: Source): Violation[] {
  const nodes = source.places.map(({ node }) => node);
  const findings = [
    ...globalReferences(source, GLOBAL_NAMES).map(globalFinding),
    ...nodes.flatMap(memberFinding),
    ...nodes.flatMap(dateFinding),
  ];
  return [
    ...findings.map(({ node, name, why }) => ({ ...source.at(node, `${name}: ${why}`), why })),
    ...source.imports.flatMap(({ line, specifier, names }) =>
      names.flatMap((name) => {
        const why = importReason(specifier, name);
        return why ? [{ file: source.file, line, problem: `${name} of ${specifier}: ${why}`, why }] : [];
      }),
    ),
  ]
    .filter(({ why }) => (why === ENVIRONMENT ? source.file !== ENVIRONMENT_READER : !isEdge(source.file)))
    .map(({ file, line, problem }) => ({ file, line, problem }));
}

function isEdge(file: string): boolean {
  return EDGE.has(file) || IN_A_BROWSER.test(file);
}

function globalFinding(node: Node): Finding {
  const name = nameOf(node) ?? '';
  return { node, name, why: GLOBALS[name] ?? ESCAPE };
}

/** `Date.now`, `const { now } = Date`, `anything.randomUUID`. */
function memberFinding(node: Node): Finding[] {
  if (node.type === 'MemberExpression') {
    const name = propertyOf(node) ?? '';
    const why = MEMBERS[nameOf(node.object) ?? '']?.[name] ?? (RANDOM_SOURCES.has(name) ? RANDOM : undefined);
    return why ? [{ node, name: `${nameOf(node.object) ?? '…'}.${name}`, why }] : [];
  }
  if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern') {
    const object = nameOf(node.init) ?? '';
    return node.id.properties.flatMap((property) => {
      const name = property.type === 'Property' ? (nameOf(property.key) ?? '') : '';
      const why = MEMBERS[object]?.[name] ?? (RANDOM_SOURCES.has(name) ? RANDOM : undefined);
      return why ? [{ node, name: `${object}.${name}`, why }] : [];
    });
  }
  return [];
}

/** `new Date()` and `Date()`, which mean now. */
function dateFinding(node: Node): Finding[] {
  const asksForNow = (node.type === 'NewExpression' && node.arguments.length === 0) || node.type === 'CallExpression';
  return asksForNow && nameOf(node.callee) === 'Date' ? [{ node, name: 'Date()', why: CLOCK }] : [];
}

/** Why a name must not be imported from a module of Node, whatever it is called afterwards. */
function importReason(specifier: string, name: string): string | undefined {
  switch (specifier.replace(/^node:/, '')) {
    case 'crypto':
      return RANDOM_SOURCES.has(name) || name === 'webcrypto' ? RANDOM : undefined;
    case 'timers':
    case 'timers/promises':
      return name === 'setImmediate' ? undefined : CLOCK;
    case 'perf_hooks':
      return name === 'performance' ? CLOCK : undefined;
    case 'process':
      return name === 'env' || name === 'hrtime' ? ENVIRONMENT : undefined;
    default:
      return undefined;
  }
}
