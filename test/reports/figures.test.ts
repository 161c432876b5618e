import { after, before, describe } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { demandFigures } from './demandFigures.ts';
import { moneyFigures } from './moneyFigures.ts';
import { type Books, checkAll, openBooks } from './support/figures.ts';
import { syncFigures } from './syncFigures.ts';
import { workFigures } from './workFigures.ts';

const figures = { ...demandFigures, ...moneyFigures, ...workFigures, ...syncFigures };

describe('figures of reports on SQLite', () => {
  let books: Books;
  before(async () => {
    books = await openBooks();
  });
  after(() => books.world.close());
  checkAll(figures, () => books);
});

describeOnPostgres('figures of reports on PostgreSQL', () => {
  let server: TestPostgres;
  let books: Books;
  before(async () => {
    server = await startPostgres();
    books = await openBooks(await server.freshDatabase());
  });
  after(async () => {
    await books.world.close();
    await server.stop();
  });
  checkAll(figures, () => books);
});
