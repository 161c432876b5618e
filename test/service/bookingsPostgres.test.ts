import { after, before } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { describeBookings } from './support/booking.ts';

describeOnPostgres('a service on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  describeBookings('both halves in one database', async () => ({ STAYD_DATABASE_URL: await server.freshDatabase() }));
});
