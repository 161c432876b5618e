import type { AccountId } from '../../../kernel/ids.ts';
import type { Core } from '../../context.ts';
import type { CoreDb, CoreTransaction } from '../../database.ts';
import type { GuestRegistrationRow } from '../rows.ts';
import type { Registration } from './fields.ts';
import { openRegistration } from './secrets.ts';
import { dropRegistrations, registrationsAfter, registrationsOf } from './table.ts';

/** Rows that are opened between two looks for more. */
const BATCH = 200;

/** Whose registrations an erasure concerns. */
interface Erased {
  /** Stays of which everything is erased that guests registered. */
  readonly stays: readonly number[];
  /** Persons on record, with their stays: what was registered there under the same name is theirs. */
  readonly persons: readonly { readonly stay_id: number; readonly name: string | null }[];
  /** An address in lower case: what was registered with it anywhere in the account. */
  readonly email: string | undefined;
}

/** A registration, and the stay that it is for. */
export type Registered = Pick<GuestRegistrationRow, 'id' | 'stay_id'>;

type Keys = Pick<Core, 'sealer'>;

/** Returns what these persons have registered, each once. */
export async function registeredBy(
  core: Keys,
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  { stays, persons, email }: Erased,
): Promise<Registered[]> {
  const ofStays = await registrationsOf(db, accountId, stays);
  const near = await registrationsOf(
    db,
    accountId,
    persons.map(({ stay_id }) => stay_id),
  );
  const named = near.filter((row) => {
    const name = nameKey(fullName(openRegistration(core, row)));
    return persons.some((person) => person.stay_id === row.stay_id && name === nameKey(person.name ?? ''));
  });
  const addressed = email === undefined ? [] : await withEmail(core, db, { accountId, email });
  const found = [...ofStays, ...named, ...addressed].map(({ id, stay_id }) => [id, { id, stay_id }] as const);
  return [...new Map(found).values()];
}

/** Deletes registrations. @returns their number */
export function dropRegistered(
  trx: CoreTransaction,
  accountId: AccountId,
  registered: readonly Registered[],
): Promise<number> {
  return dropRegistrations(
    trx,
    accountId,
    registered.map(({ id }) => id),
  );
}

async function withEmail(
  core: Keys,
  db: CoreDb | CoreTransaction,
  { accountId, email }: { accountId: AccountId; email: string },
): Promise<Registered[]> {
  const found: Registered[] = [];
  for (let after = ''; ;) {
    const rows = await registrationsAfter(db, { accountId, after, limit: BATCH });
    found.push(...rows.filter((row) => openRegistration(core, row).email?.toLowerCase() === email));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return found;
    after = last.id;
  }
}

function fullName({ given_name = '', family_name = '' }: Registration): string {
  return `${given_name} ${family_name}`;
}

function nameKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
