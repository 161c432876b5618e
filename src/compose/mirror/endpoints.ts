import { ANSWER_LIMIT_MS } from '../../endpoints/context.ts';
import { EndpointService } from '../../endpoints/manage.ts';
import { Endpoints } from '../../endpoints/start.ts';
import type { Config } from '../../config.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { webhookSender } from '../../outbound/deliver.ts';
import type { Daemon } from '../../sync/connection/daemon.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Ports } from '../ports.ts';

/** The endpoints of all connections of this process. */
export interface OpenEndpoints {
  add(connection: ConnectionId): Promise<void>;
  remove(connection: ConnectionId): Promise<void>;
  service(connection: ConnectionId): EndpointService;
  stop(): Promise<void>;
}

interface EndpointOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
  daemon: Daemon;
  /** True if this process sends; it answers questions in any case. */
  sends: boolean;
}

export function openEndpoints(options: EndpointOptions): OpenEndpoints {
  const { store, config, ports, log, userAgent, daemon, sends } = options;
  const policy = { allow: config.outbound.allow };
  const sender = webhookSender({ clock: ports.clock, userAgent, policy, limitMs: ANSWER_LIMIT_MS });
  const contextOf = (connection: ConnectionId) => ({
    ...ports,
    store,
    connection,
    feed: daemon.feed(connection),
    log,
    sender,
  });
  const running = new Map<ConnectionId, Endpoints>();
  return {
    async add(connection) {
      if (sends) running.set(connection, await Endpoints.start(contextOf(connection)));
    },
    async remove(connection) {
      await running.get(connection)?.stop();
      running.delete(connection);
    },
    service: (connection) =>
      new EndpointService({ ...contextOf(connection), policy, onChange: () => running.get(connection)?.wake() }),
    async stop() {
      await Promise.all([...running.values()].map((one) => one.stop()));
      await sender.close();
    },
  };
}
