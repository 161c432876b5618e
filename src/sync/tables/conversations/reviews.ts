import { review, type ReviewStatus } from '../../../contract/reviews.ts';
import { allPages } from '../rows/allPages.ts';
import { properties } from '../portfolio/properties.ts';
import { type MirrorResource, named, type Page, type Reading, rowReader } from '../rows/resource.ts';
import { instantFrom, plainDateFrom } from '../wireValues.ts';

/**
 * The names of a review: its reservation, and the property where each has its own. Null: upstream does not say which.
 */
interface NamedReview {
  reservation_code: string;
  property_id: number | null;
}

function reviewKey({ reservation_code: code, property_id: property }: NamedReview, by: Reading['reviewsBy']) {
  return by === 'reservation' || property === null ? code : `${encodeURIComponent(code)}/${property}`;
}

/** Returns the property that the key of a review names; null: the review is for the whole reservation. */
export function propertyOfReview(key: string): number | null {
  const [, property] = key.split('/', 2);
  return property === undefined ? null : Number(property);
}

export const readReviews = rowReader({
  schema: review,
  keyFields: ['reservation_code'],
  rowKey: (one, { reviewsBy }) => reviewKey(one, reviewsBy),
  key: (one) => one.reservation_code,
  columns: (one, { zone, reviewsBy }) => ({
    review: reviewKey(one, reviewsBy),
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

/**
 * The statuses that are requested. Without one, upstream may mean any status, or its default: then a review that lacks
 * a side must be requested with its status.
 */
const ASKED: readonly (ReviewStatus | undefined)[] = [undefined, 'pending_guest_review', 'pending_host_review'];

export const reviews: MirrorResource = {
  name: 'review',
  table: 'reviews',
  keyColumn: 'review',
  groupColumn: 'reservation_code',
  keepsValues: true,
  names: (raw) => named(properties.name, raw['property_id']),
  async lookUp(client, reading, key, options) {
    const found: Page[] = [];
    for (const review_status of ASKED) {
      const page = await allPages(async (at) => {
        const input = { reservation_code: key, ...at, ...(review_status && { review_status }) };
        const answer = await client.call('listReviews', input, options);
        return readReviews(answer.data.reviews, answer, reading);
      });
      found.push(page);
      // One reservation has either one review, or several, and each status may show another one.
      if (reading.reviewsBy === 'reservation' && page.rows.length + page.quarantined.length > 0) break;
    }
    return onceEach(found);
  },
};

/** Removes duplicates: a review that lacks both sides is listed twice. */
function onceEach(pages: readonly Page[]): Page {
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.rowKey, row])));
  const quarantined = new Map(pages.flatMap((page) => page.quarantined.map((row) => [row.key, row])));
  return { rows: [...rows.values()], quarantined: [...quarantined.values()] };
}
