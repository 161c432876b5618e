import type { LimitWindow } from '../kernel/limits/windows.ts';

export type { LimitWindow } from '../kernel/limits/windows.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Layer 1: all requests of an account to v3, all its tokens together. */
export const accountWindows: readonly LimitWindow[] = [
  { seconds: MINUTE, max: 1_200 },
  { seconds: 10 * MINUTE, max: 6_000 },
  { seconds: HOUR, max: 20_000 },
  { seconds: DAY, max: 100_000 },
];

/** Layer 2: requests per account and route template, by the class in the operation's declaration. */
export const rateClasses = {
  default: [
    { seconds: MINUTE, max: 600 },
    { seconds: 10 * MINUTE, max: 3_000 },
    { seconds: HOUR, max: 10_000 },
    { seconds: DAY, max: 50_000 },
  ],
  availability_write: [{ seconds: MINUTE, max: 120 }],
  listing_write: [{ seconds: MINUTE, max: 120 }],
  price_rules: [{ seconds: MINUTE, max: 120 }],
  reservation_create: [{ seconds: MINUTE, max: 60 }],
} as const satisfies Record<string, readonly LimitWindow[]>;

/** Name of a class of layer 2. */
export type RateClass = keyof typeof rateClasses;

/** Layer 3: messages into one conversation. */
export const conversationWindows: readonly LimitWindow[] = [
  { seconds: 5, max: 5 },
  { seconds: MINUTE, max: 10 },
  { seconds: 30 * MINUTE, max: 30 },
  { seconds: 2 * HOUR, max: 60 },
  { seconds: DAY, max: 120 },
];

/** Layer 4: answers 400 and 404 per account and route template. */
export const failedRequestWindows: readonly LimitWindow[] = [
  { seconds: HOUR, max: 500 },
  { seconds: DAY, max: 2_000 },
];
