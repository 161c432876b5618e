import type { Kysely } from 'kysely';
import type { Applied } from './apply.ts';
import type { Mirror } from '../tables/database.ts';
import { type MarkContext, markKeys } from '../queue/markKeys.ts';
import { customChannels } from '../tables/account/customChannels.ts';
import { dictionaryItems } from '../tables/account/dictionaries.ts';
import { properties } from '../tables/portfolio/properties.ts';
import type { MirrorResource, RowName } from '../tables/rows/resource.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';

/** The kinds that other rows name and no event announces, by their name in dirty keys. */
const nameable: ReadonlyMap<string, MirrorResource> = new Map(
  [properties, customChannels, dictionaryItems].map((resource) => [resource.name, resource]),
);

/**
 * A row that was requested and is still unknown is gone upstream. Rows that still name it cause a request this seldom.
 */
const ASK_AGAIN_MS = 10 * 60_000;
/** The number of names remembered as requested; only speed depends on it. */
const MOST_ASKED = 10_000;

/** Finds rows that other rows name and the mirror lacks: they exist, and no event announces them. */
export interface NamedRows {
  /** Marks the unknown rows among these for a read. */
  mark(named: readonly RowName[]): Promise<void>;
  /** Returns the rows that changed rows name, if they are unknown and were not requested lately. */
  unknown(db: Kysely<Mirror>, resource: MirrorResource, applied: Pick<Applied, 'changes'>): Promise<RowName[]>;
  /** Reports that the marks of these rows are committed. */
  asked(rows: readonly RowName[]): void;
}

export function namedRows(context: MarkContext): NamedRows {
  const { store, connection, clock } = context;
  const askedAt = new Map<string, number>();

  async function unknownAmong(db: Kysely<Mirror>, name: string, keys: ReadonlySet<string>): Promise<RowName[]> {
    const resource = nameable.get(name);
    if (!resource) return [];
    const rowKeys = [...keys].map((key) => (resource.keyColumn === 'id' ? Number(key) : key));
    const known = new Set((await rowQueries(resource).known(db, connection, rowKeys)).map(String));
    return [...keys].filter((key) => !known.has(key)).map((key) => ({ resource: name, key }));
  }

  function notAskedLately({ resource, key }: RowName): boolean {
    const at = askedAt.get(`${resource} ${key}`);
    return at === undefined || clock.monotonic() - at >= ASK_AGAIN_MS;
  }

  async function wanted(db: Kysely<Mirror>, named: readonly RowName[]): Promise<RowName[]> {
    const keysOf = new Map<string, Set<string>>();
    for (const { resource, key } of named) keysOf.set(resource, (keysOf.get(resource) ?? new Set()).add(key));
    const unknown: RowName[] = [];
    for (const [resource, keys] of keysOf) unknown.push(...(await unknownAmong(db, resource, keys)));
    return unknown.filter(notAskedLately);
  }

  function asked(rows: readonly RowName[]): void {
    if (askedAt.size >= MOST_ASKED) askedAt.clear();
    for (const { resource, key } of rows) {
      if (nameable.has(resource)) askedAt.set(`${resource} ${key}`, clock.monotonic());
    }
  }

  return {
    async mark(named) {
      const rows = await wanted(store.db, named);
      await markKeys(context, rows, 'related');
      asked(rows);
    },
    async unknown(db, { names }, { changes }) {
      return names !== undefined && changes.length > 0
        ? await wanted(
            db,
            changes.flatMap(({ raw }) => names(raw)),
          )
        : [];
    },
    asked,
  };
}
