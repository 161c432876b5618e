import { bookingActions } from './bookings.ts';
import { guestActions } from './guests.ts';
import { marketplaceActions } from './marketplace.ts';

/** Everything that can be made to happen on sandbox marketplaces. */
export const sandboxRoutes = [...marketplaceActions, ...bookingActions, ...guestActions];
