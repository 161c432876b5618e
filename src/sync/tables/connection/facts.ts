import type { Instant } from '../../../kernel/dates.ts';
import type { ConnectionFactsTable, FactName } from './factsTable.ts';
import type { MirrorDb, MirrorStore } from '../database.ts';

/** Reads a fact that a connection stores about itself; undefined if it has none. */
export async function readFact(
  db: MirrorDb,
  connection: string,
  name: FactName,
): Promise<{ value: string; changed_at: Instant } | undefined> {
  return db
    .selectFrom('connection_facts')
    .select(['value', 'changed_at'])
    .where('connection', '=', connection)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Stores a fact unless one is already stored. @returns the fact that is stored now */
export async function settleFact(store: MirrorStore, fact: ConnectionFactsTable): Promise<string> {
  return store.transaction(async (trx) => {
    await trx
      .insertInto('connection_facts')
      .values(fact)
      .onConflict((conflict) => conflict.columns(['connection', 'name']).doNothing())
      .execute();
    const { value } = await trx
      .selectFrom('connection_facts')
      .select('value')
      .where('connection', '=', fact.connection)
      .where('name', '=', fact.name)
      .executeTakeFirstOrThrow();
    return value;
  });
}

/** Stores a fact in place of an earlier one. */
export async function putFact(db: MirrorDb, fact: ConnectionFactsTable): Promise<void> {
  const { value, changed_at } = fact;
  await db
    .insertInto('connection_facts')
    .values(fact)
    .onConflict((conflict) => conflict.columns(['connection', 'name']).doUpdateSet({ value, changed_at }))
    .execute();
}

/** Lets automations act again, after a person has checked what they would do. @returns true if they were disarmed */
export async function armAutomations(db: MirrorDb, connection: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connection_facts')
    .where('connection', '=', connection)
    .where('name', '=', 'automations_disarmed')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Stops automations from acting until a person arms them. An earlier reason is not replaced. */
export async function disarmAutomations(
  store: MirrorStore,
  connections: readonly string[],
  why: string,
  at: Instant,
): Promise<void> {
  for (const connection of connections) {
    await settleFact(store, { connection, name: 'automations_disarmed', value: why, changed_at: at });
  }
}
