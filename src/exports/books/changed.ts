import { dateIn } from '../../kernel/dates.ts';
import type { BookExceptionsTable } from '../../sync/bookTables.ts';
import { Funds } from '../journal/funds.ts';
import { policyOf } from '../journal/policy.ts';
import { type Ask, readAccount } from '../journal/readFacts.ts';
import { collect } from '../run/collect.ts';
import type { Listener, Order } from '../run/order.ts';
import { lastLockedDay } from '../run/readPeriods.ts';
import { accountRows, holdersOf, rolesOf } from './accounts.ts';
import { exceptionRows, groupRows } from './groupRows.ts';
import type { BookHead, BookLot } from './lot.ts';

/** As many rows as a write transaction takes; a group is never divided. */
const LOT_ROWS = 200;
const PROGRESS_EVERY = 1_000;

/** Books everything up to today, and tells what differs from the rows that are kept. */
export async function changedGroups(ask: Ask, order: Order, listener: Listener): Promise<BookHead> {
  const { connection } = order;
  const { zone, properties } = await readAccount(ask, connection);
  const policy = policyOf(order.settings);
  const today = dateIn(zone, order.now);
  const book = { connection, policy, roles: rolesOf(policy), today };
  const known = await knownDigests(ask, connection);
  const funds = new Funds(holdersOf(policy));
  const accounts = new Set<string>();
  const channels = new Map<string, BookHead['channels'][number]>();
  const lots = new Lots(listener);
  let [groups, entries, changed] = [0, 0, 0];
  const asked = { connection, policy, zone, today, lockedThrough: await lastLockedDay(ask, connection) };
  for await (const one of collect(ask, { ...asked, corrections: 'reverse_and_rebook' })) {
    const rows = groupRows(book, one);
    funds.add(one.canonical, today);
    for (const { account } of rows.postings) accounts.add(account);
    const { reservation } = one.group;
    if (reservation) {
      const { channel, channelType } = reservation;
      channels.set(JSON.stringify([channelType, channel]), {
        connection,
        channel_type: channelType,
        channel,
        clearing: policy.clearing(reservation),
        commission: policy.commission(reservation),
        occupancy_tax: policy.occupancyTax(reservation),
      });
    }
    groups += 1;
    entries += rows.entries.length;
    const before = known.get(rows.group);
    known.delete(rows.group);
    if (before !== rows.digest) {
      changed += 1;
      await lots.add(rows);
    }
    if (groups % PROGRESS_EVERY === 0) listener.onProgress({ groups, entries });
  }
  for (const group of known.keys()) await lots.remove(group);
  await lots.flush();
  const exceptions: BookExceptionsTable[] = exceptionRows(book, '', funds.exceptions(today));
  return {
    through: today,
    groups,
    changed: changed + known.size,
    entries,
    accounts: accountRows(connection, policy, accounts),
    properties: [...new Set([...properties.keys(), ...Object.keys(order.settings.properties).map(Number)])].map(
      (id) => {
        const { code, owner } = policy.property(id, '');
        const said = order.settings.properties[id];
        return {
          connection,
          property_id: id,
          code,
          owner,
          contract: said?.contract ?? null,
          tax_authority: said?.tax_authority ?? null,
        };
      },
    ),
    channels: [...channels.values()],
    exceptions,
  };
}

async function knownDigests(ask: Ask, connection: string): Promise<Map<string, string>> {
  const rows = await ask<{ group_key: string; digest: string }>(
    'select group_key, digest from book_groups where connection = $1',
    [connection],
  );
  return new Map(rows.map(({ group_key, digest }) => [group_key, digest]));
}

/** Gathers what changed until it is worth a transaction. */
class Lots {
  readonly #listener: Listener;
  #groups: BookLot['groups'][number][] = [];
  #removed: string[] = [];
  #rows = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  async add(group: BookLot['groups'][number]): Promise<void> {
    const { entries, postings, deposits, exceptions } = group;
    const rows = 1 + entries.length + postings.length + deposits.length + exceptions.length;
    if (this.#rows + rows > LOT_ROWS) await this.flush();
    this.#groups.push(group);
    this.#rows += rows;
  }

  async remove(group: string): Promise<void> {
    if (this.#rows >= LOT_ROWS) await this.flush();
    this.#removed.push(group);
    this.#rows += 1;
  }

  async flush(): Promise<void> {
    if (this.#rows === 0) return;
    await this.#listener.onLot?.({ groups: this.#groups, removed: this.#removed });
    [this.#groups, this.#removed, this.#rows] = [[], [], 0];
  }
}
