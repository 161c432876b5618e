import { readFeed } from '../../channels/feeds/readFeed.ts';
import { feedSources, sourceOfHost } from '../../channels/feeds/sources.ts';

import type { CalendarSense, ComparisonsContext } from '../../comparisons/context.ts';
import { ComparisonService } from '../../comparisons/manage.ts';
import { comparisonWorker } from '../../comparisons/start.ts';
import type { Config } from '../../config.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Worker } from '../../kernel/worker.ts';
import { calendarReader } from '../../outbound/fetchCalendar.ts';
import type { Daemon } from '../../sync/connection/daemon.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Ports } from '../ports.ts';

/** What compares calendars with the mirror, for all connections of this process. */
export interface OpenComparisons {
  add(connection: ConnectionId): Promise<void>;
  remove(connection: ConnectionId): Promise<void>;
  service(connection: ConnectionId): ComparisonService;
  stop(): Promise<void>;
}

interface ComparisonsOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
  daemon: Daemon;
  /** True if this process reads calendars by itself; it answers questions in any case. */
  reads: boolean;
}

/** Calendars are understood as those of channels are. */
export const calendarSense: CalendarSense = {
  sources: feedSources,
  sourceOf: sourceOfHost,
  eventsOf(text, { source, zone, until }) {
    const known = feedSources.find((one) => one === source) ?? 'generic';
    return readFeed(text, { source: known, zone, until });
  },
};

export function openComparisons(options: ComparisonsOptions): OpenComparisons {
  const { store, config, ports, log, userAgent, daemon, reads } = options;
  const reader = calendarReader({ clock: ports.clock, userAgent, policy: { allow: config.outbound.allow } });
  const contextOf = (connection: ConnectionId): ComparisonsContext => ({
    ...ports,
    store,
    connection,
    log,
    reader,
    sense: calendarSense,
    zone: () => daemon.link(connection).zone(),
  });
  const workers = new Map<ConnectionId, Worker>();
  return {
    async add(connection) {
      if (!reads) return;
      const worker = comparisonWorker(contextOf(connection));
      await worker.start();
      workers.set(connection, worker);
    },
    async remove(connection) {
      await workers.get(connection)?.stop();
      workers.delete(connection);
    },
    service: (connection) => new ComparisonService(contextOf(connection)),
    async stop() {
      await Promise.all([...workers.values()].map((one) => one.stop()));
      await reader.close();
    },
  };
}
