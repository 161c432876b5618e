import type { PlainDate } from '../../kernel/dates.ts';
import type { Ask } from '../journal/ask.ts';
import { type BookedEntry, referenceOf } from '../journal/book.ts';
import type { JournalEntry, Posting, Source } from '../journal/entry.ts';
import { grouped } from '../journal/grouped.ts';
import type { BookEntriesTable, BookPostingsTable } from '../tables/bookTables.ts';

/** Number of entries that one query reads. */
const PAGE = '500';

/** Yields the stored entries of some days by date, then id, exactly as they were booked. */
export async function* keptEntries(
  ask: Ask,
  connection: string,
  { from, to }: { from: PlainDate; to: PlainDate },
): AsyncGenerator<BookedEntry & { group: string }> {
  for (let [date, id] = [from, '']; ;) {
    const rows = await ask<EntryRow>(ENTRIES, [connection, date, id, to, PAGE]);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return;
    const postings = grouped(
      await ask<PostingRow>(POSTINGS, [connection, first.date, first.entry_id, last.date, last.entry_id]),
      (row) => row.entry_id,
    );
    for (const row of rows) {
      const entry = entryOf(connection, row, postings.get(row.entry_id) ?? []);
      yield { entry, base: baseOf(row), suffix: row.suffix, group: row.group_key };
    }
    [date, id] = [last.date, last.entry_id];
  }
}

type EntryRow = Omit<BookEntriesTable, 'connection' | 'class'>;
type PostingRow = Pick<
  BookPostingsTable,
  'entry_id' | 'account' | 'amount_minor' | 'currency' | 'property_id' | 'memo'
>;

const ENTRIES = `
select entry_id, group_key, date, original_date, kind, suffix, source_kind, source_id, revision, corrects, payee,
  description, reservation_code, stay_code, channel
from book_entries
where connection = $1 and (date, entry_id) > ($2, $3) and date <= $4
order by date, entry_id limit cast($5 as bigint)`;

// SQLite keeps the order of a cross join: the entries of the days first, then their postings.
const POSTINGS = `
select p.entry_id, p.account, p.amount_minor, p.currency, p.property_id, p.memo
from book_entries e cross join book_postings p
where e.connection = $1 and (e.date, e.entry_id) >= ($2, $3) and (e.date, e.entry_id) <= ($4, $5)
  and p.connection = e.connection and p.entry_id = e.entry_id
order by p.entry_id, p.posting`;

function entryOf(connection: string, row: EntryRow, postings: readonly PostingRow[]): JournalEntry {
  return {
    id: row.entry_id,
    reference: referenceOf(connection, row.entry_id),
    date: row.date,
    originalDate: row.original_date,
    kind: row.kind as JournalEntry['kind'],
    source: { kind: row.source_kind as Source['kind'], id: row.source_id },
    revision: row.revision,
    corrects: row.corrects,
    payee: row.payee,
    description: row.description,
    reservation: row.reservation_code,
    stay: row.stay_code,
    channel: row.channel,
    postings: postings.map(postingOf),
  };
}

function postingOf({ account, amount_minor: amount, currency, property_id, memo }: PostingRow): Posting {
  return { account, amount, currency, propertyId: property_id, ...(memo !== null && { memo }) };
}

/** Returns the base of an entry: its id without version, suffix and reversal. */
function baseOf({ entry_id, kind, revision, suffix }: EntryRow): string {
  const id = kind === 'reversal' ? entry_id.slice(0, -'-rev'.length) : entry_id;
  return id.slice(0, -`-${revision}${suffix && `-${suffix}`}`.length);
}
