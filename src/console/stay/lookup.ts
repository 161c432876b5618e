import { ApiError } from '../../kernel/errors.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import type { Visit } from '../visit.ts';
import { findStay, type Stay } from './query.ts';

/** Finds the stay that an address names (`code`). @throws ApiError 404 if there is none that the person may see */
export async function requireStay({ services, connection, person, at }: Visit): Promise<Stay> {
  const properties = person.properties ?? undefined;
  const [stay] = await findStay(services.db, { connection, code: at['code'] ?? '', ...(properties && { properties }) });
  if (!stay) throw new ApiError(404, 'There is no such stay.');
  return stay;
}

const bookerOf = preparedByArguments((db: MirrorDb, { connection, code }: { connection: string; code: string }) =>
  db
    .selectFrom('guests')
    .where('connection', '=', connection)
    .where('stay_code', '=', code)
    .where('guest_key', '=', 'booker')
    .select(['name', 'phone', 'email']),
);

/** Returns what a stay is called: by its booker for those who may see persons, else by its code. */
export async function nameOf(
  visit: Visit,
  { stay_code }: Pick<Stay, 'stay_code'>,
): Promise<{ name: string; booker: { name: string | null; phone: string | null; email: string | null } | undefined }> {
  if (!visit.may('persons')) return { name: stay_code, booker: undefined };
  const { connection, services } = visit;
  const [booker] = await bookerOf(services.db, { connection, code: stay_code });
  return { name: booker?.name ?? stay_code, booker };
}
