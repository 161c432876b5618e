import type { Expression } from 'kysely';
import type { PlainDate } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import type { Automating } from '../context.ts';
import type { StayFacts } from './facts.ts';

/** The contact data that identify a guest. A name never does, because many people share it. */
export interface Contact {
  email: string | null | undefined;
  phone: string | null | undefined;
}

/** Fewest digits of a telephone number that identifies one person. */
const PHONE_DIGITS = 8;
/** Characters that people write between the digits of a telephone number. */
const BETWEEN_DIGITS = [' ', '-', '(', ')', '.', '/'] as const;

/**
 * Returns true if a guest with the same e-mail address or telephone number has an earlier stay in the mirror. Returns
 * null if neither is known.
 */
export async function hasStayed(
  { store, connection }: Pick<Automating, 'store' | 'connection'>,
  contacts: readonly Contact[],
  { until, besides }: { until: PlainDate; besides: string | null },
): Promise<boolean | null> {
  const emails = contacts.flatMap(({ email }) => tidyEmail(email));
  const phones = contacts.flatMap(({ phone }) => spellingsOf(phone));
  if (emails.length + phones.length === 0) return null;
  let query = store.db
    .selectFrom('guests')
    .innerJoin('stays', (join) =>
      join.onRef('stays.connection', '=', 'guests.connection').onRef('stays.stay_code', '=', 'guests.stay_code'),
    )
    .select('stays.stay_code')
    .where('guests.connection', '=', connection)
    .where('stays.status', '=', 'accepted')
    .where('stays.deleted_at', 'is', null)
    .where('stays.check_out_date', '<=', until)
    .where((eb) => {
      const email = eb.fn<string | null>('lower', [eb.fn('trim', ['guests.email'])]);
      const phone = BETWEEN_DIGITS.reduce<Expression<string | null>>(
        (number, sign) => eb.fn<string | null>('replace', [number, eb.val(sign), eb.val('')]),
        eb.fn<string | null>('trim', ['guests.phone']),
      );
      return eb.or([inList(email, emails), inList(phone, phones)]);
    });
  if (besides !== null) query = query.where('stays.reservation_code', '!=', besides);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

function tidyEmail(email: string | null | undefined): string[] {
  const tidy = email?.trim().toLowerCase() ?? '';
  return tidy.includes('@') ? [tidy] : [];
}

/** Returns the spellings under which a number may be stored: `+44…`, `0044…` and `44…`. */
function spellingsOf(phone: string | null | undefined): string[] {
  const bare = (phone ?? '').replaceAll(/\D/g, '').replace(/^00/, '');
  return bare.length < PHONE_DIGITS ? [] : [`+${bare}`, `00${bare}`, bare];
}

/** Returns the condition for an earlier stay: it is over on the day, and before this one begins. */
export function earlierThan(
  stay: Pick<StayFacts, 'check_in_date' | 'reservation_code'> | null,
  day: PlainDate,
): { until: PlainDate; besides: string | null } {
  if (stay === null) return { until: day, besides: null };
  return { until: stay.check_in_date < day ? stay.check_in_date : day, besides: stay.reservation_code };
}
