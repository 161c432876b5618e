import { review, type ReviewStatus } from '../../contract/reviews.ts';
import { properties } from './properties.ts';
import { type MirrorResource, named, type Page, rowReader } from './resource.ts';
import { instantFrom, plainDateFrom } from './wireValues.ts';

export const readReviews = rowReader({
  schema: review,
  keyFields: ['reservation_code'],
  rowKey: (one) => one.reservation_code,
  key: (one) => one.reservation_code,
  columns: (one, { zone }) => ({
    reservation_code: one.reservation_code,
    stay_code: one.stay_code,
    property_id: one.property_id,
    channel_type: one.channel_type,
    listing_id: one.listing_id,
    check_in_date: plainDateFrom(one.check_in_date),
    check_out_date: plainDateFrom(one.check_out_date),
    guest_score_hundredths: hundredths(one.guest_review?.score),
    guest_reviewed_at: instantFrom(one.guest_review?.created_at, zone),
    host_score_hundredths: hundredths(one.host_review?.score),
    host_reviewed_at: instantFrom(one.host_review?.created_at, zone),
    host_replied_at: instantFrom(one.host_reply?.created_at, zone),
  }),
});

function hundredths(score: number | null | undefined): number | null {
  return score === null || score === undefined ? null : Math.round(score * 100);
}

/** Without a status upstream may mean any, or its default: then a review that lacks a side must be asked for as such. */
const ASKED: readonly (ReviewStatus | undefined)[] = [undefined, 'pending_guest_review', 'pending_host_review'];

export const reviews: MirrorResource = {
  name: 'review',
  table: 'reviews',
  keyColumn: 'reservation_code',
  groupColumn: 'reservation_code',
  keepsValues: true,
  names: (raw) => named(properties.name, raw['property_id']),
  async lookUp(client, reading, key, options) {
    let page: Page = { rows: [], unfit: [] };
    for (const review_status of ASKED) {
      const input = { reservation_code: key, limit: 1, ...(review_status && { review_status }) };
      const answer = await client.call('listReviews', input, options);
      page = readReviews(answer.data.reviews, answer, reading);
      if (page.rows.length + page.unfit.length > 0) return page;
    }
    return page;
  },
};
