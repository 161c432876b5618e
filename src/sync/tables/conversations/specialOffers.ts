import { z } from 'zod';
import { specialOffer } from '../../../contract/specialOffers.ts';
import type { CallOptions, Client } from '../../../client/client.ts';
import { allPages } from '../rows/allPages.ts';
import { placeIn } from './messages.ts';
import { type MirrorResource, type Page, type Reading, rowReader } from '../rows/resource.ts';
import { instantFrom, minorFrom, plainDateFrom } from '../wireValues.ts';

const offerOfConversation = specialOffer.extend({ conversation_id: z.string() });

const readRows = rowReader({
  schema: offerOfConversation,
  keyFields: ['id', 'conversation_id'],
  rowKey: (one) => placeIn(one.conversation_id, one.id),
  key: (one) => one.conversation_id,
  columns: (one, { zone }) => ({
    offer: placeIn(one.conversation_id, one.id),
    conversation_id: one.conversation_id,
    id: one.id,
    offer_type: one.offer_type,
    status: one.status,
    listing_id: one.listing_id,
    check_in_date: plainDateFrom(one.check_in_date),
    check_out_date: plainDateFrom(one.check_out_date),
    nights: one.nights,
    number_of_guests: one.number_of_guests,
    price_minor: minorFrom(one.price, one.currency),
    currency: one.currency,
    expires_at: instantFrom(one.expire_time, zone),
    created_at: instantFrom(one.create_time, zone),
  }),
});

/** Reads all offers of a conversation. */
export function readOffers(client: Client, reading: Reading, key: string, options: CallOptions): Promise<Page> {
  return allPages(async (at) => {
    const { data, raw, quarantined } = await client.call('listSpecialOffers', { conversation_id: key, ...at }, options);
    const values = data.special_offers.map((one) => ({ ...one, conversation_id: key }));
    const wire = raw.map((one) => ({ conversation_id: key, ...one }));
    return readRows(values, { raw: wire, quarantined }, reading);
  });
}

export const specialOffers: MirrorResource = {
  name: 'special_offer',
  table: 'special_offers',
  keyColumn: 'offer',
  groupColumn: 'conversation_id',
  lookUp: readOffers,
};
