import type { z } from 'zod';
import type { guestReview, review, reviewPart } from '../../contract/reviews.ts';
import { withOffset } from '../../kernel/dates.ts';
import type { ReviewOfStay } from './table.ts';

/** The text and scores of one side as they are stored, with moments in UTC. */
export type StoredPart = z.output<typeof reviewPart>;
export type StoredGuestReview = z.output<typeof guestReview>;

/** Returns the public form of a review, with moments in the operator's zone. */
export function presentReview(row: ReviewOfStay, zone: string): z.output<typeof review> {
  return {
    reservation_code: row.reservation_code,
    stay_code: row.stay_code,
    property_id: row.property_id,
    channel_type: row.channel_type,
    listing_id: row.listing_id,
    check_in_date: row.check_in_date,
    check_out_date: row.check_out_date,
    host_review: part<StoredPart>(row.host_review, zone),
    guest_review: part<StoredGuestReview>(row.guest_review, zone),
    host_reply: part<StoredPart>(row.host_reply, zone),
  };
}

function part<Part extends StoredPart>(stored: string | null, zone: string): Part | null {
  if (stored === null) return null;
  const value = JSON.parse(stored) as Part;
  return { ...value, created_at: withOffset(value.created_at, zone) };
}
