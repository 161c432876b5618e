import { describeReservations } from './support/reservation.ts';

describeReservations('a service on SQLite', () => Promise.resolve({}));
