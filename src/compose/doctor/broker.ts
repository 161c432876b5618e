import { brokerFeed, feedHead } from '../../broker/table.ts';
import type { Config } from '../../config.ts';
import { readRows } from '../../store/queries/readRows.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { hasBroker } from '../mirror/broker.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const CHECK = 'broker';

/** Checks that the broker takes the change feed. Without a broker there is nothing to find. */
export async function lookAtBroker(config: Config): Promise<Finding[]> {
  if (!hasBroker(config)) return [];
  const servers = config.nats.servers.join(', ');
  return await readRows(locationOf(config, 'mirror'), async (db: MirrorDb) => {
    const feeds = await db.selectFrom('connections').select('connection').orderBy('connection').execute();
    return Promise.all(feeds.map(({ connection }) => findingOf(db, connection, servers)));
  });
}

async function findingOf(db: MirrorDb, connection: string, servers: string): Promise<Finding> {
  const feed = await brokerFeed(db, connection);
  if (!feed) return note(CHECK, `nothing of ${connection} was published yet`, './stayd start publishes it');
  const lag = (await feedHead(db, connection)) - feed.cursor;
  if (feed.failing_since !== null) {
    return problem(
      CHECK,
      `${servers} takes no changes of ${connection} since ${feed.failing_since}, and ${lag} wait: ${feed.problem}`,
      'mend the broker or the settings below nats; what waits is published then, in order',
    );
  }
  return ok(CHECK, `${servers} has taken ${feed.published} changes of ${connection}, and ${lag} wait`);
}
