import { count, day, detail, PERIOD, PLACE, percentage, type Report, SPAN, text } from './report.ts';

const SPANS = ['month', 'year', 'all'] as const;

/** How guests are served. */
export const guestReports: readonly Report[] = [
  {
    name: 'response-times',
    view: 'v1_response_times',
    title: 'how long guests wait for an answer',
    notes: [
      'A question is what a guest says, in one message or several, until the host’s side says something. Its time runs from the first of these messages to the first answer, in whole minutes, rounded down.',
      'Automatic answers count as answers, and are counted apart. Whoever is not the guest is the host’s side.',
      'By the month (UTC) in which the guest asked. Questions without an answer are in no time.',
    ],
    columns: [
      SPAN,
      PERIOD,
      text('channel_type', 'Channel.'),
      count('questions', 'Questions.'),
      count('answered', 'Of them answered.'),
      count('unanswered', 'Of them not answered.'),
      count('answered_automatically', 'Of the answered ones, those whose first answer no person wrote.'),
      { name: 'median_minutes', unit: 'minutes', is: 'Half of the answers came sooner, half later.' },
      { name: 'mean_minutes', unit: 'minutes', is: 'Mean, with one decimal.' },
      percentage('within_hour', 'Answered in less than 60 minutes ÷ answered.'),
    ],
    filters: { dates: 'period', by: SPANS },
    order: ['period', 'channel_type'],
  },
  {
    name: 'unanswered',
    view: 'v1_unanswered',
    title: 'threads in which a guest spoke last',
    notes: ['Oldest first. Moments are UTC.'],
    columns: [
      text('waiting_since', 'When the guest first spoke after the last answer.'),
      text('conversation_id', 'The thread.'),
      text('channel_type', 'Channel.'),
      count('messages', 'Messages of the guest since then.'),
      day('check_in_date', 'First night of what it is about.'),
      day('check_out_date', 'Day of leaving.'),
      text('reservation_codes', 'Bookings it is about, JSON list.'),
      detail(text('property_ids', 'Properties it is about, JSON list.')),
    ],
    filters: { dates: 'waiting_since' },
    order: ['waiting_since', 'conversation_id'],
  },
  {
    name: 'review-scores',
    view: 'v1_review_scores',
    title: 'scores of guests’ reviews, and how they change',
    notes: [
      'By the month (UTC) of the guest’s review. Channels have different scales, so that each has rows of its own.',
      'The change is against the row of the same channel before it.',
    ],
    columns: [
      SPAN,
      PERIOD,
      text('channel_type', 'Channel.'),
      count('reviews', 'Reviews of guests.'),
      { name: 'mean_score', unit: 'score', is: 'Mean of the scores given, with two decimals.' },
      { name: 'score_change', unit: 'score', is: 'mean_score − that of the row before.' },
      count('replied', 'Reviews with a reply of the host.'),
      percentage('replied', 'replied ÷ reviews.'),
    ],
    filters: { dates: 'period', by: SPANS, property: 'view' },
    order: ['period', 'channel_type'],
  },
  {
    name: 'review-backlog',
    view: 'v1_review_backlog',
    title: 'reviews of guests without a reply',
    notes: ['Oldest first. Moments are UTC. What was written stands in `personal_values`, under the reservation code.'],
    columns: [
      text('guest_reviewed_at', 'When the guest reviewed.'),
      text('reservation_code', 'The booking.'),
      ...PLACE.map((column) => (column.name === 'property_id' ? detail(column) : column)),
      text('channel_type', 'Channel.'),
      day('check_out_date', 'Day of leaving.'),
      { name: 'score', unit: 'score', is: 'The guest’s score, on the channel’s scale.' },
      { name: 'host_reviewed', unit: 'flag', is: '1: the host has reviewed the guest.' },
    ],
    filters: { dates: 'guest_reviewed_at', property: 'column' },
    order: ['guest_reviewed_at', 'reservation_code'],
  },
];
