import type { Core } from '../../core/context.ts';
import type { CalendarReader } from '../../outbound/fetchCalendar.ts';
import type { PaymentCaller } from './payments/stripe.ts';

/** What direct bookings work with. */
export interface DirectWork {
  readonly core: Core;
  /** Reads calendars outside. */
  readonly reader: CalendarReader;
  /** Sends requests to the provider of payments. */
  readonly caller: PaymentCaller;
  /** Tells the worker that there is something to do. */
  wake(): void;
}
