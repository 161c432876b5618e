import type { Node } from 'oxc-parser';
import type { Source, Violation } from './source.ts';

/** Words of our own that gave way to the field's, and what is said in their place. */
const RETIRED: Readonly<Record<string, string>> = {
  walk: 'scan',
  walks: 'scans',
  walked: 'scanned',
  walker: 'scanner',
  walking: 'scanning',
  sweep: 'reconciliation',
  sweeps: 'reconciliations',
  sweeper: 'reconciler',
  heal: 'propagation',
  heals: 'propagations',
  healed: 'propagated',
  healing: 'propagation',
  settling: 'confirming',
  swept: 'scanned',
  storm: 'burst',
  storms: 'bursts',
  stormy: 'bursting',
  gust: 'burst',
  gusts: 'bursts',
  weather: 'load monitor',
  unfit: 'quarantined',
  colour: 'freshness, or color as v3 spells it',
  desk: 'service',
  desks: 'services',
  deed: 'action',
  deeds: 'actions',
  situation: 'action context',
  tongue: 'language',
  tongues: 'languages',
  confidences: 'redactions',
  bell: 'signal',
  patiently: 'retry',
  bury: 'tombstone',
  belongings: 'fixtures',
};

/** The same for whole names. */
const RETIRED_NAMES: Readonly<Record<string, string>> = {
  beside_upstream: 'allow_upstream_overlap',
  odd_code: 'unknown_code',
  told_rows: 'announced_rows',
  momentReader: 'momentParser',
  lookAround: 'loadContext',
  takeOver: 'syncRules',
  openDoor: 'openListener',
};

const NAME = /^[A-Za-z_$][\w$.]*$/;

/** Identifiers, keys, and texts that are names: of tables, columns, settings, states, metrics. */
export function retiredWords(source: Source): Violation[] {
  return source.places.flatMap(({ node }) => {
    const name = nameIn(node);
    const problem = name === undefined ? undefined : retiredIn(name);
    return problem === undefined ? [] : [source.at(node, problem)];
  });
}

/** Returns what is wrong with a name; undefined: nothing. */
export function retiredIn(name: string): string | undefined {
  const instead = Object.hasOwn(RETIRED_NAMES, name) ? RETIRED_NAMES[name] : undefined;
  if (instead !== undefined) return `${name} is a word of our own: the field says ${instead}`;
  for (const part of partsOf(name)) {
    if (Object.hasOwn(RETIRED, part)) return `${name}: "${part}" is a word of our own: the field says ${RETIRED[part]}`;
  }
  return undefined;
}

function nameIn(node: Node): string | undefined {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  if (node.type === 'Literal' && typeof node.value === 'string' && NAME.test(node.value)) return node.value;
  return undefined;
}

/** The words that a name is made of: `startScan`, `scan_days` and `SCAN_DAYS` are two each. */
function partsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase());
}
