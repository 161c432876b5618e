import { describeBookings } from './support/booking.ts';

describeBookings('a service on SQLite', () => Promise.resolve({}));
