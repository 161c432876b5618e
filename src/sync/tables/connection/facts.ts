import type { Instant } from '../../../kernel/dates.ts';
import type { ConnectionFactsTable, FactName } from './factsTable.ts';
import type { MirrorDb, MirrorStore } from '../database.ts';

/** Something that a connection remembers about itself; undefined when it does not. */
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

/** Remembers a fact, unless it is known already. @returns what is known now */
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

/** Remembers a fact in place of what was remembered before. */
export async function putFact(db: MirrorDb, fact: ConnectionFactsTable): Promise<void> {
  const { value, changed_at } = fact;
  await db
    .insertInto('connection_facts')
    .values(fact)
    .onConflict((conflict) => conflict.columns(['connection', 'name']).doUpdateSet({ value, changed_at }))
    .execute();
}

/** Lets automations act again: somebody has looked at what they would do. @returns whether they were disarmed */
export async function armAutomations(db: MirrorDb, connection: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connection_facts')
    .where('connection', '=', connection)
    .where('name', '=', 'automations_disarmed')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Keeps automations from acting until a person arms them; a first reason stands. */
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
