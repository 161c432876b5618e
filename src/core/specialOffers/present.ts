import type { z } from 'zod';
import type { specialOffer } from '../../contract/specialOffers.ts';
import { daysBetween, withOffset } from '../../kernel/dates.ts';
import { wireAmount } from '../../kernel/money.ts';
import type { SpecialOfferRow } from '../conversations/rows.ts';
import { statusAt } from './rules.ts';

/** Returns the public form of an offer at a moment. */
export function presentOffer(row: SpecialOfferRow, zone: string, now: number): z.output<typeof specialOffer> {
  return {
    id: row.special_offer_id,
    offer_type: row.offer_type,
    status: statusAt(row, now),
    listing_id: row.listing_id,
    check_in_date: row.check_in_date,
    check_out_date: row.check_out_date,
    nights: daysBetween(row.check_in_date, row.check_out_date),
    number_of_guests: row.number_of_adults + row.number_of_children,
    price: row.price === null ? null : wireAmount(row.price, row.currency),
    currency: row.currency,
    expire_time: withOffset(row.expires_at, zone),
    create_time: withOffset(row.created_at, zone),
  };
}
