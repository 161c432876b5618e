import type { Fields } from '../../../client/fields.ts';
import { type Instant, instantWithin, msOf } from '../../../kernel/dates.ts';
import type { MirrorTrx } from '../../tables/database.ts';
import type { IncomingRow, MirrorResource } from '../../tables/rows/resource.ts';
import { BOOKER, noValues } from '../../tables/rows/personal.ts';
import { agedConversations } from '../retention/agedConversations.ts';
import { erasedAmong, hasErasures } from './erasureTable.ts';
import { type Forgetting, forgetRaw, freeColumns, namingStrings, withoutImages } from './forgetRaw.ts';
import { type Fingerprint, subject } from './subjects.ts';

interface Place {
  connection: string;
  fingerprint: Fingerprint;
}

/**
 * Returns the rows of an answer without erased values, and without texts older than their retention: the source still
 * has both and sends them again and again.
 */
export async function forgotten(
  trx: MirrorTrx,
  { connection, fingerprint }: Place,
  resource: MirrorResource,
  rows: readonly IncomingRow[],
): Promise<readonly IncomingRow[]> {
  const candidatesOf = candidates[resource.name];
  if (!candidatesOf || rows.length === 0) return rows;
  const kept = resource.textsAge ? await withoutOldTexts(trx, connection, rows) : rows;
  if (!(await hasErasures(trx, connection))) return kept;
  const wanted = kept.map((row) => candidatesOf(row).map((one) => ({ ...one, hash: fingerprint(one.subject) })));
  const hashes = [...new Set(wanted.flatMap((some) => some.map((one) => one.hash)))];
  const erased = await erasedAmong(trx, connection, hashes);
  if (erased.size === 0) return kept;
  return kept.map((row, index) => {
    const hits = (wanted[index] ?? []).filter((one) => isHit(one, erased.get(one.hash)));
    return hits.length === 0 ? row : forgetRow(resource.name, row, hits);
  });
}

/** A possible subject of an erasure of the row, and the values that then go. */
interface Candidate {
  subject: string;
  owners: 'all' | readonly string[];
  text: boolean;
  /** The moment of the row's origin: an erasure does not apply to later rows. */
  since?: Instant | undefined;
}

function isHit({ since }: Candidate, erasedAt: Instant | undefined): boolean {
  return erasedAt !== undefined && (since === undefined || since <= erasedAt);
}

const candidates: Readonly<Record<string, (row: IncomingRow) => Candidate[]>> = {
  reservation: ofStay,
  transaction: ({ raw }) => ofReservation(raw['reservation_code']),
  task: ({ raw }) => ofReservation(raw['stay_code']),
  review: ({ raw }) => ofReservation(raw['reservation_code']),
  conversation: ({ raw }) => ofConversation(raw, undefined),
  message: ({ raw }) => ofConversation(raw, momentOf(raw['timestamp'] ?? raw['created_at'])),
};

function ofReservation(code: unknown): Candidate[] {
  if (typeof code !== 'string') return [];
  return [subject.booking(code), subject.text(code)].map((one) => ({ subject: one, owners: 'all', text: true }));
}

function ofConversation(raw: Fields, since: Instant | undefined): Candidate[] {
  return [{ subject: subject.conversation(String(raw['conversation_id'])), owners: 'all', text: true, since }];
}

function ofStay({ rowKey, key, raw, personal }: IncomingRow): Candidate[] {
  const stay = String(rowKey);
  const since = momentOf(raw['created_at']);
  const found: Candidate[] = [
    { subject: subject.booking(key), owners: 'all', text: true },
    { subject: subject.text(key), owners: [], text: true },
  ];
  for (const [owner, { values }] of personal) {
    found.push({ subject: subject.guest(stay, owner), owners: [owner], text: false });
    const address = values.get(owner === BOOKER ? 'guest_email' : 'email');
    if (typeof address !== 'string') continue;
    found.push({ subject: subject.email(address), owners: [owner], text: owner === BOOKER, since });
  }
  return found;
}

function momentOf(text: unknown): Instant | undefined {
  const ms = typeof text === 'string' ? msOf(text) : Number.NaN;
  return Number.isFinite(ms) ? instantWithin(ms) : undefined;
}

function forgetRow(resource: string, row: IncomingRow, hits: readonly Candidate[]): IncomingRow {
  const all = hits.some((hit) => hit.owners === 'all');
  const owners = all ? ('all' as const) : new Set(hits.flatMap((hit) => (hit.owners === 'all' ? [] : hit.owners)));
  const isErased = (owner: string) => owners === 'all' || owners.has(owner);
  const anybody = owners === 'all' || owners.size > 0;
  const text = hits.some((hit) => hit.text);
  const named = [...row.personal].filter(([owner]) => isErased(owner));
  const strings = resource === 'reservation' ? namingStrings(named.flatMap(([, { values }]) => naming(values))) : [];
  const what: Forgetting = { owners, text, strings };
  const raw = forgetRaw(resource, row.raw, what);
  const columns = text ? (freeColumns[resource] ?? {}) : {};
  return {
    ...row,
    raw,
    rawText: JSON.stringify(raw),
    personal: new Map([...row.personal].filter(([owner]) => !isErased(owner))),
    guests: anybody
      ? row.guests
          .filter((guest) => !isErased(guest.guest_key))
          .map((guest) => ({ ...guest, more: withoutImages(guest.more) }))
      : row.guests,
    values: all ? noValues : row.values,
    columns: () => ({ ...row.columns(), ...columns }),
  };
}

/** The personal values that name a person. */
const NAMING = ['name', 'phone', 'email', 'id_number', 'guest_name', 'guest_phone', 'guest_email'];

function naming(values: ReadonlyMap<string, unknown>): unknown[] {
  return NAMING.map((path) => values.get(path));
}

async function withoutOldTexts(
  trx: MirrorTrx,
  connection: string,
  rows: readonly IncomingRow[],
): Promise<readonly IncomingRow[]> {
  const aged = await agedConversations(trx, connection, [...new Set(rows.map(conversationOf))]);
  if (aged.size === 0) return rows;
  return rows.map((row) => {
    const [since, sent] = [aged.get(conversationOf(row)), momentOf(row.raw['timestamp'] ?? row.raw['created_at'])];
    const isAged = since !== undefined && sent !== undefined && sent < since;
    return isAged ? { ...row, values: noValues, isAged } : row;
  });
}

function conversationOf({ raw }: IncomingRow): string {
  return String(raw['conversation_id']);
}
