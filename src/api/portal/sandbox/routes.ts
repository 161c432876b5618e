import { bookingActions } from './bookings.ts';
import { guestActions } from './guests.ts';
import { marketplaceActions } from './marketplace.ts';
import { simulatedAccountRoute, simulationRoute } from './simulation.ts';

/** Everything that can be made to happen on sandbox marketplaces. */
export const sandboxRoutes = [
  ...marketplaceActions,
  ...bookingActions,
  ...guestActions,
  simulatedAccountRoute,
  simulationRoute,
];
