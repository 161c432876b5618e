import { reservationActions } from './reservations.ts';
import { guestActions } from './guests.ts';
import { marketplaceActions } from './marketplace.ts';
import { simulatedAccountRoute, simulationRoute } from './simulation.ts';

/** All actions on sandbox marketplaces. */
export const sandboxRoutes = [
  ...marketplaceActions,
  ...reservationActions,
  ...guestActions,
  simulatedAccountRoute,
  simulationRoute,
];
