import { z } from 'zod';
import { specialOffer } from '../../contract/specialOffers.ts';
import type { CallOptions, Client } from '../../client/client.ts';
import { placeIn } from './messages.ts';
import {
  type IncomingRow,
  type MirrorResource,
  type Page,
  type Reading,
  rowReader,
  type UnfitRow,
} from './resource.ts';
import { instantFrom, minorFrom } from './wireValues.ts';

/** The largest page v3 answers. */
const PAGE = 100;

const offerOfThread = specialOffer.extend({ conversation_id: z.string() });

const readRows = rowReader({
  schema: offerOfThread,
  keyField: 'id',
  rowKey: (one) => placeIn(one.conversation_id, one.id),
  key: (one) => one.conversation_id,
  columns: (one, { zone }) => ({
    offer: placeIn(one.conversation_id, one.id),
    conversation_id: one.conversation_id,
    id: one.id,
    offer_type: one.offer_type,
    status: one.status,
    listing_id: one.listing_id,
    check_in_date: one.check_in_date,
    check_out_date: one.check_out_date,
    nights: one.nights,
    number_of_guests: one.number_of_guests,
    price_minor: minorFrom(one.price, one.currency),
    currency: one.currency,
    expires_at: instantFrom(one.expire_time, zone),
    created_at: instantFrom(one.create_time, zone),
  }),
});

/** All offers made in a thread. */
export async function readOffers(client: Client, reading: Reading, key: string, options: CallOptions): Promise<Page> {
  const rows: IncomingRow[] = [];
  const unfit: UnfitRow[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const input = { conversation_id: key, offset, limit: PAGE };
    const { data, raw, quarantined } = await client.call('listSpecialOffers', input, options);
    const values = data.special_offers.map((one) => ({ ...one, conversation_id: key }));
    const wire = raw.map((one) => ({ conversation_id: key, ...one }));
    const page = readRows(values, { raw: wire, quarantined }, reading);
    rows.push(...page.rows);
    unfit.push(...page.unfit);
    if (offset + PAGE >= data.total) return { rows, unfit };
  }
}

export const specialOffers: MirrorResource = {
  name: 'special_offer',
  table: 'special_offers',
  keyColumn: 'offer',
  groupColumn: 'conversation_id',
  lookUp: readOffers,
};
