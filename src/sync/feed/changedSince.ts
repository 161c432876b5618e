import type { Kysely } from 'kysely';
import { msOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx } from '../tables/database.ts';

interface Keys {
  connection: string;
  resource: string;
  keys: readonly string[];
}

const newest = prepared((db: Kysely<Mirror>, arg: Keys) =>
  db
    .selectFrom('changes')
    .select((eb) => ['key', eb.fn.max<string>('at').as('at')])
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys))
    .groupBy('key'),
);

/** Returns the last change of each of these keys according to the feed (epoch milliseconds). */
export async function changedSince(trx: MirrorTrx, keys: Keys): Promise<Map<string, number>> {
  if (keys.keys.length === 0) return new Map();
  return new Map((await newest(trx, keys)).map(({ key, at }) => [key, msOf(at)]));
}
