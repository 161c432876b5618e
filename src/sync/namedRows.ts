import type { Applied, ApplyContext } from './apply.ts';
import { markKeys } from './markKeys.ts';
import { AVAILABILITY } from './mirror/availability.ts';
import { CALENDAR } from './mirror/calendar.ts';
import { listings } from './mirror/listings.ts';
import { customChannels } from './mirror/customChannels.ts';
import { dictionaryItems } from './mirror/dictionaries.ts';
import { properties } from './mirror/properties.ts';
import type { MirrorResource, RowName } from './mirror/resource.ts';
import type { ReadNumbers } from './readNumbers.ts';
import { rowQueries } from './rowTable.ts';

type Context = Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers };

/** What other rows name and no event announces, by the word of dirty keys. */
const nameable: ReadonlyMap<string, MirrorResource> = new Map(
  [properties, customChannels, dictionaryItems].map((resource) => [resource.name, resource]),
);

/** A row that was asked for and is still unknown is gone upstream; rows that go on naming it ask so seldom. */
const ASK_AGAIN_MS = 10 * 60_000;
/** How many names are remembered as asked for; only speed depends on it. */
const MOST_ASKED = 10_000;

/** Finds what rows name and the mirror has not met: no event announces it, but other rows say that it is there. */
export interface NamedRows {
  /** Asks for a read of those of these rows that are unknown. @returns whether there were any */
  mark(named: readonly RowName[]): Promise<boolean>;
  /** The same for what changed rows name. */
  markOf(resource: MirrorResource, applied: Applied): Promise<boolean>;
}

export function namedRows(context: Context): NamedRows {
  const { store, connection, clock } = context;
  const asked = new Map<string, number>();

  async function unknownAmong(name: string, keys: ReadonlySet<string>): Promise<RowName[]> {
    const resource = nameable.get(name);
    if (!resource) return [];
    const rowKeys = [...keys].map((key) => (resource.keyColumn === 'id' ? Number(key) : key));
    const known = new Set((await rowQueries(resource).known(store.db, connection, rowKeys)).map(String));
    return [...keys].filter((key) => !known.has(key)).map((key) => ({ resource: name, key }));
  }

  function notAskedLately({ resource, key }: RowName): boolean {
    const now = clock.monotonic();
    const id = `${resource} ${key}`;
    const at = asked.get(id);
    if (at !== undefined && now - at < ASK_AGAIN_MS) return false;
    if (asked.size >= MOST_ASKED) asked.clear();
    asked.set(id, now);
    return true;
  }

  async function mark(named: readonly RowName[]): Promise<boolean> {
    const keysOf = new Map<string, Set<string>>();
    for (const { resource, key } of named) keysOf.set(resource, (keysOf.get(resource) ?? new Set()).add(key));
    const unknown: RowName[] = [];
    for (const [resource, keys] of keysOf) unknown.push(...(await unknownAmong(resource, keys)));
    const wanted = unknown.filter(notAskedLately);
    await markKeys(context, wanted, 'related');
    return wanted.length > 0;
  }

  return {
    mark,
    async markOf({ names }, { changes }) {
      return names !== undefined && changes.length > 0 ? mark(changes.flatMap(({ raw }) => names(raw))) : false;
    },
  };
}

const calendarOf: ReadonlyMap<MirrorResource, string> = new Map([
  [properties, AVAILABILITY],
  [listings, CALENDAR],
]);

/** Asks for all days of what a look-up has just met for the first time; a walk reads them anyway. */
export async function markCalendars(context: Context, resource: MirrorResource, applied: Applied): Promise<boolean> {
  const calendar = calendarOf.get(resource);
  if (calendar === undefined) return false;
  const keys = applied.changes
    .filter((change) => change.op === 'created')
    .map((change) => ({ resource: calendar, key: change.key }));
  await markKeys(context, keys, 'related');
  return keys.length > 0;
}
