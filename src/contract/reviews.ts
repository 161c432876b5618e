import { z } from 'zod';
import { daysBetween } from '../kernel/dates.ts';
import { channelType, date, id, listOf, none, nothing, paging, shownDate, timestamp } from './fields.ts';
import { operation } from './operation.ts';

/** States of a review. */
export const reviewStatuses = ['pending_guest_review', 'pending_host_review', 'reviewed'] as const;
/** One of {@link reviewStatuses}. */
export type ReviewStatus = (typeof reviewStatuses)[number];
/** Days of check-outs that are listed by default, and the widest window that a request can name. */
export const REVIEW_DAYS = 180;
/** Most characters of a review or a reply. */
export const REVIEW_LENGTH = 5_000;

const subScore = z
  .object({
    category: z.string(),
    rating: z.number(),
    review_category_tags: z.array(z.string()),
  })
  .meta({ schemaName: 'CategoryScore' });

const text = z.string().meta({ personal: true });
const part = {
  score: z.number().nullable(),
  sub_score: z.array(subScore),
  content: text,
  created_at: timestamp,
};

/** One side's review: rating, text and scores. */
export const reviewPart = z.object(part).meta({ schemaName: 'ReviewPart' });
/** The guest's review, with the private feedback to the host. */
export const guestReview = z
  .object({
    ...part,
    private_feedback: z
      .string()
      .nullable()
      .describe('For the host alone, never to be quoted in public; null but on marketplace A.')
      .meta({ personal: true }),
  })
  .meta({ schemaName: 'GuestReview' });

/** The reviews of one stay. */
export const review = z
  .object({
    reservation_code: z.string(),
    stay_code: z.string(),
    property_id: z.int(),
    channel_type: channelType,
    listing_id: z.string(),
    check_in_date: shownDate,
    check_out_date: shownDate,
    host_review: reviewPart.nullable(),
    guest_review: guestReview.nullable(),
    host_reply: reviewPart.nullable(),
  })
  .meta({ family: 'review', schemaName: 'Review' });

/** Lists reviews by check-out date, newest first. */
export const listReviews = operation({
  method: 'GET',
  path: '/reviews',
  params: none,
  query: z
    .object({
      ...paging,
      reservation_code: z.string().optional().describe('Reviews of one reservation.'),
      property_id: id('Stays in one property.').optional(),
      review_status: z
        .enum(reviewStatuses)
        .optional()
        .describe(
          'Whose review is there or missing; reviewed (the guest’s is there) unless reservation_code is given.',
        ),
      start_check_out_date: date.optional().describe(`Default: ${REVIEW_DAYS} days before the end.`),
      end_check_out_date: date.optional().describe('Default: today.'),
    })
    .refine(
      ({ start_check_out_date: start, end_check_out_date: end }) =>
        start === undefined || end === undefined || start <= end,
      { path: ['start_check_out_date'], error: 'must not be after end_check_out_date' },
    )
    .refine(
      ({ start_check_out_date: start, end_check_out_date: end }) =>
        start === undefined || end === undefined || daysBetween(start, end) <= REVIEW_DAYS,
      { path: ['end_check_out_date'], error: `is more than ${REVIEW_DAYS} days after start_check_out_date` },
    ),
  body: null,
  data: listOf('reviews', review),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_reviews', category: 'reservation' },
  since: '3.2.0',
  summary: 'Reviews by check-out date, newest first.',
  example: { property_id: 12, review_status: 'reviewed' },
  errors: [],
  emits: [],
});

const rating = z.number().min(0).max(5).optional();

/** Reviews the guest of a finished stay, or replies to the guest's review. The text is public and final. */
export const createReview = operation({
  method: 'POST',
  path: '/reviews/{reservation_code}',
  params: z.object({ reservation_code: z.string().describe('The reservation.') }),
  query: none,
  body: z
    .object({
      host_review_score: rating.describe('Default: category_ratings.overall_rating.'),
      host_review_content: z.string().trim().min(1).max(REVIEW_LENGTH).optional(),
      host_reply_content: z.string().trim().min(1).max(REVIEW_LENGTH).optional(),
      category_ratings: z
        .object({
          overall_rating: rating,
          cleanliness: rating,
          communication: rating,
          respect_of_house_rules: rating,
          recommend: z.union([z.literal(0), z.literal(1)]).optional(),
        })
        .meta({ schemaName: 'CategoryRatings' })
        .optional()
        .describe('Taken over by channels that know them.'),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      path: ['host_review_content'],
      error: 'is required unless a score, ratings or host_reply_content are given',
    }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_review', category: 'reservation' },
  since: '3.2.0',
  summary: 'Reviews the guest of a finished stay, or replies to the guest’s review; public and final.',
  example: {
    reservation_code: '0-HM8KQ2-SDUV3F',
    host_review_score: 5,
    host_review_content: 'Welcome back.',
    category_ratings: { cleanliness: 5, recommend: 1 },
  },
  errors: [400, 404],
  emits: ['review_created', 'review_updated'],
});
