import type { PlainDate } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { Facts, StayFacts } from './facts.ts';
import { linkScope } from './guestLinks.ts';
import { languageOf } from '../language.ts';
import type { WireStay } from '../perform/freshStay.ts';
import { stayScope } from '../perform/actionContext.ts';
import { earlierThan, hasStayed } from './returning.ts';
import { asksFor, type Conditions } from '../rules/conditions.ts';
import { type Scope, scopeOf } from '../../kernel/markup/templates.ts';

/** Replaces values that only the guest may see. */
const HIDDEN = '••••';

type Mirrored = Pick<Automating, 'store' | 'connection' | 'settings' | 'guestLinkOf'>;

interface MirroredGuest {
  name: string | null;
  phone: string | null;
  email: string | null;
  country: string | null;
  is_booker: number | null;
}

/** Returns the guests of a stay, the booker first. */
async function guestsOf(
  { store, connection }: Mirrored,
  stay: Pick<StayFacts, 'stay_code'> | null,
): Promise<MirroredGuest[]> {
  if (stay === null) return [];
  return store.db
    .selectFrom('guests')
    .select(['name', 'phone', 'email', 'country', 'is_booker'])
    .where('connection', '=', connection)
    .where('stay_code', '=', stay.stay_code)
    .orderBy('is_booker', 'desc')
    .execute();
}

function languageBy(stay: StayFacts | null, guests: readonly MirroredGuest[]): string | undefined {
  return languageOf({
    chosen: stay?.custom_fields?.['language'],
    country: guests.find(({ country }) => country !== null)?.country ?? null,
    phone: guests.find(({ phone }) => phone !== null)?.phone ?? null,
  });
}

/** Returns the facts about the guest of a stay on a day, from the mirror. */
export async function guestFacts(
  context: Mirrored,
  wanted: Conditions,
  stay: StayFacts | null,
  day: PlainDate,
): Promise<Pick<Facts, 'day' | 'language' | 'returning' | 'review'>> {
  const isAsked = asksFor(wanted, 'language') || asksFor(wanted, 'returning');
  const guests = isAsked ? await guestsOf(context, stay) : [];
  const language = languageBy(stay, guests) ?? null;
  const review = asksFor(wanted, 'reviewed') ? await mirroredReview(context, stay) : undefined;
  if (!asksFor(wanted, 'returning')) return { day, language, review, returning: null };
  const bookers = guests.filter(({ is_booker }) => is_booker === 1);
  return { day, language, review, returning: await hasStayed(context, bookers, earlierThan(stay, day)) };
}

/** Returns the state of the reviews of a stay's reservation. */
async function mirroredReview({ store, connection }: Mirrored, stay: StayFacts | null): Promise<Facts['review']> {
  if (stay === null) return null;
  const { reservation_code } = stay;
  const rows = await store.db
    .selectFrom('reviews')
    .select(['host_reviewed_at', 'host_replied_at', 'guest_score_hundredths'])
    .where('connection', '=', connection)
    .where('reservation_code', '=', reservation_code)
    .where('deleted_at', 'is', null)
    .execute();
  const [first] = rows;
  if (!first) return null;
  const score = first.guest_score_hundredths;
  return {
    reservation_code,
    score: score === null ? null : score / 100,
    content: null,
    host_reviewed: rows.some((row) => row.host_reviewed_at !== null),
    host_replied: rows.some((row) => row.host_replied_at !== null),
  };
}

/** Returns the values for templates, from the mirror; secrets are hidden. */
export async function mirrorScope(
  context: Mirrored,
  facts: Facts,
): Promise<{ language: string | undefined; scope: Scope }> {
  const { store, connection, settings } = context;
  const { stay, property, message } = facts;
  const guests = await guestsOf(context, stay);
  const guest = guests.find(({ name }) => name !== null);
  const raw = stay ? await rawOf(context, stay.stay_code) : undefined;
  const account = await store.db
    .selectFrom('accounts')
    .select('name')
    .where('connection', '=', connection)
    .executeTakeFirst();
  const wire = raw && hidden(raw, settings.secretFields);
  // A try makes no page.
  const links = context.guestLinkOf ? linkScope({ guest_page: HIDDEN, booking_page: HIDDEN }) : {};
  return {
    language: languageBy(stay, guests),
    scope: scopeOf({
      guest: { name: guest?.name, first_name: guest?.name?.trim().split(/\s+/)[0] },
      stay: stay && wire ? { ...stayScope({ wire, stay }, facts), custom_fields: wire.custom_fields, ...links } : {},
      property: property ? { id: property.id, name: property.name, address: property.address } : {},
      account: { name: account?.name },
      message: { text: message?.content },
    }),
  };
}

async function rawOf({ store, connection }: Mirrored, stay_code: string): Promise<WireStay | undefined> {
  const row = await store.db
    .selectFrom('stays')
    .select('raw')
    .where('connection', '=', connection)
    .where('stay_code', '=', stay_code)
    .executeTakeFirst();
  return row && (JSON.parse(row.raw) as WireStay);
}

function hidden(wire: WireStay, secretFields: readonly string[]): WireStay {
  const { check_in_details: known } = wire;
  const details = known && { ...known, ...(known.lock_code !== null && { lock_code: HIDDEN }) };
  const custom = Object.entries(wire.custom_fields ?? {});
  const custom_fields = Object.fromEntries(
    custom.map(([name, text]) => [name, secretFields.includes(name) ? HIDDEN : text]),
  );
  return { ...wire, check_in_details: details, custom_fields };
}
