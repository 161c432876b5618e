import { bookingActions } from './bookings.ts';
import { guestActions } from './guests.ts';
import { marketplaceActions } from './marketplace.ts';
import { simulatedAccountRoute, simulationRoute } from './simulation.ts';

/** All actions on sandbox marketplaces. */
export const sandboxRoutes = [
  ...marketplaceActions,
  ...bookingActions,
  ...guestActions,
  simulatedAccountRoute,
  simulationRoute,
];
