import { type Kysely, type RawBuilder, sql } from 'kysely';
import { kindOf } from '../kind.ts';

/** So many words of a question are looked at. */
const MOST_WORDS = 8;
const WORD = /[\p{L}\p{N}]+/gu;

/** Where a word was found: the stay of a guest, or the message of a text. */
interface Found {
  key: string;
}

/**
 * Makes names, e-mail addresses and telephones of guests, and the texts of messages, searchable by the beginnings of
 * words, for a migration of the mirror. Whatever deletes or changes a row does so in the index, in the same transaction.
 */
export async function createSearchWords<DB>(db: Kysely<DB>): Promise<void> {
  if (kindOf(db) === 'postgres') {
    await sql`create index guests_words on guests using gin (${guestVector})`.execute(db);
    await sql`create index personal_values_words on personal_values using gin (${textVector})
      where resource = 'message' and path = 'content'`.execute(db);
    return;
  }
  await sql`create virtual table search_words
    using fts5 (connection unindexed, kind unindexed, key unindexed, ident, words, tokenize = 'unicode61')`.execute(db);
  // What is deleted leaves no entry behind that names it.
  await sql`insert into search_words (search_words, rank) values ('secure-delete', 1)`.execute(db);
  for (const statement of triggers) await statement.execute(db);
  await sql`insert into search_words (connection, kind, key, ident, words)
    select connection, 'guest', stay_code, 'k' || lower(hex('guest/' || connection || '/' || stay_code || '/' || guest_key)),
      coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
      || replace(replace(replace(replace(coalesce(phone, ''), '+', ''), ' ', ''), '-', ''), '/', '')
    from guests where coalesce(name, email, phone) is not null`.execute(db);
  await sql`insert into search_words (connection, kind, key, ident, words)
    select connection, 'message', row_key, 'k' || lower(hex('message/' || connection || '/' || row_key)), text
    from personal_values where resource = 'message' and path = 'content' and text is not null`.execute(db);
}

const learnGuest = sql`insert into search_words (connection, kind, key, ident, words)
  select new.connection, 'guest', new.stay_code,
    'k' || lower(hex('guest/' || new.connection || '/' || new.stay_code || '/' || new.guest_key)),
    coalesce(new.name, '') || ' ' || coalesce(new.email, '') || ' ' || coalesce(new.phone, '') || ' '
    || replace(replace(replace(replace(coalesce(new.phone, ''), '+', ''), ' ', ''), '-', ''), '/', '')
  where coalesce(new.name, new.email, new.phone) is not null;`;
const forgetGuest = sql`delete from search_words where rowid in (select rowid from search_words where search_words match
  'ident:k' || lower(hex('guest/' || old.connection || '/' || old.stay_code || '/' || old.guest_key)));`;
const learnText = sql`insert into search_words (connection, kind, key, ident, words)
  select new.connection, 'message', new.row_key, 'k' || lower(hex('message/' || new.connection || '/' || new.row_key)),
    new.text
  where new.resource = 'message' and new.path = 'content' and new.text is not null;`;
const forgetText = sql`delete from search_words where rowid in (select rowid from search_words where search_words match
  'ident:k' || lower(hex('message/' || old.connection || '/' || old.row_key)));`;

const triggers: readonly RawBuilder<unknown>[] = [
  sql`create trigger guests_words_insert after insert on guests begin ${learnGuest} end`,
  sql`create trigger guests_words_delete after delete on guests begin ${forgetGuest} end`,
  sql`create trigger guests_words_update after update on guests begin ${forgetGuest} ${learnGuest} end`,
  sql`create trigger personal_values_words_insert after insert on personal_values begin ${learnText} end`,
  sql`create trigger personal_values_words_delete after delete on personal_values
    when old.resource = 'message' and old.path = 'content' begin ${forgetText} end`,
  sql`create trigger personal_values_words_update after update on personal_values
    when old.resource = 'message' and old.path = 'content' begin ${forgetText} ${learnText} end`,
];

const guestVector = sql`to_tsvector('simple', coalesce(name, '') || ' ' || translate(coalesce(email, ''), '@.-_+', '     ')
  || ' ' || translate(coalesce(phone, ''), '+-/().', '      ') || ' ' || translate(coalesce(phone, ''), '+-/(). ', ''))`;
const textVector = sql`to_tsvector('simple', translate(coalesce(text, ''), '@./-_', '     '))`;

/** Returns the words of a question that a search can use. */
export function searchedWords(question: string): string[] {
  return [...new Set(question.toLowerCase().match(WORD))].slice(0, MOST_WORDS);
}

/** What is searched, and the most matches that are looked at: those that changed last, or arrive last. */
interface Searched {
  readonly connection: string;
  readonly words: readonly string[];
  readonly limit: number;
}

/** Returns the stays that have a guest whose name, e-mail address or telephone has all these beginnings of words. */
export function guestsWith<DB>(db: Kysely<DB>, searched: Searched): RawBuilder<Found> {
  const { connection, words, limit } = searched;
  if (kindOf(db) === 'sqlite') return matches('guest', searched);
  return sql`(select stay_code as key from guests join stays using (connection, stay_code)
    where connection = ${connection} and ${guestVector} @@ to_tsquery('simple', ${beginnings(words)})
    order by check_in_date desc limit ${limit})`;
}

/** Returns the messages whose text has all these beginnings of words. */
export function textsWith<DB>(db: Kysely<DB>, searched: Searched): RawBuilder<Found> {
  const { connection, words, limit } = searched;
  if (kindOf(db) === 'sqlite') return matches('message', searched);
  return sql`(select row_key as key from personal_values
    where connection = ${connection} and resource = 'message' and path = 'content'
      and ${textVector} @@ to_tsquery('simple', ${beginnings(words)}) limit ${limit})`;
}

function matches(kind: string, { connection, words, limit }: Searched): RawBuilder<Found> {
  const asked = `words : (${words.map((word) => `"${word}" *`).join(' AND ')})`;
  return sql`(select key from search_words
    where search_words match ${asked} and kind = ${kind} and connection = ${connection}
    order by rowid desc limit ${limit})`;
}

function beginnings(words: readonly string[]): string {
  return words.map((word) => `${word}:*`).join(' & ');
}
