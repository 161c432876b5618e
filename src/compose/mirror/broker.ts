import { brokerWorker } from '../../broker/publish.ts';
import { subjectsOf } from '../../broker/message.ts';
import type { Config } from '../../config.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Worker } from '../../kernel/worker.ts';
import { NatsBroker } from '../../outbound/natsBroker.ts';
import type { Daemon } from '../../sync/connection/daemon.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Ports } from '../ports.ts';

/** What publishes the feeds of all connections of this process. */
export interface OpenBroker {
  add(connection: ConnectionId): Promise<void>;
  remove(connection: ConnectionId): Promise<void>;
  stop(): Promise<void>;
}

interface BrokerOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  daemon: Daemon;
}

/** Returns true if the change feed goes to a broker. */
export function hasBroker({ nats }: Pick<Config, 'nats'>): boolean {
  return nats.servers.length > 0;
}

/** Only for a service with a broker. */
export function openBroker({ store, config: { nats }, ports, log, daemon }: BrokerOptions): OpenBroker {
  const create = nats.create_stream ? subjectsOf(nats.subject) : undefined;
  const broker = new NatsBroker({ ...nats, create });
  const by = ports.ids();
  const running = new Map<ConnectionId, Worker>();
  return {
    async add(connection) {
      const { clock, random } = ports;
      const feed = daemon.feed(connection);
      const { subject } = nats;
      const worker = brokerWorker({ store, connection, feed, clock, random, log, broker, subject, by });
      await worker.start();
      running.set(connection, worker);
    },
    async remove(connection) {
      await running.get(connection)?.stop();
      running.delete(connection);
    },
    async stop() {
      await Promise.all([...running.values()].map((one) => one.stop()));
      await broker.close();
    },
  };
}
