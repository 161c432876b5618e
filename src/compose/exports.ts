import { join } from 'node:path';
import type { Config } from '../config.ts';
import { bookSchema } from '../config/exports.ts';
import { type Exports, openExports } from '../exports/exporter.ts';
import { inThread } from '../exports/run/thread.ts';
import type { SentFile, SentResult } from '../exports/ports.ts';
import type { Logger } from '../kernel/log.ts';
import { deliverWebhook, type Sender, webhookSender } from '../outbound/deliver.ts';
import { readPostgres, readSqliteFile } from '../store/reading.ts';
import type { StoreLocation } from '../store/store.ts';
import type { MirrorStore } from '../sync/database.ts';
import type { Ports } from './ports.ts';
import { locationOf } from './stores.ts';

/** How long a receiver of files has to answer, connecting included. */
const FILE_LIMIT_MS = 60_000;

export interface OpenedExports {
  exports: Exports;
  stop(): Promise<void>;
}

/** The books of everything that is mirrored here. */
export function openBooks(
  config: Config,
  { store, ports, log, userAgent }: { store: MirrorStore; ports: Ports; log: Logger; userAgent: string },
): OpenedExports {
  const location = plainLocation(config);
  const usual = bookSchema.parse({});
  let sender: Sender | undefined;
  const exports = openExports({
    store,
    location,
    reader: () => (location.kind === 'sqlite' ? readSqliteFile(location.file) : readPostgres(store)),
    clock: ports.clock,
    ids: ports.ids,
    log,
    folder: join(config.data_dir, 'exports'),
    bookOf: (connection) => config.exports.books[connection] ?? usual,
    jobs: config.exports.jobs,
    keepMinutes: config.exports.keep_minutes,
    carryOut: inThread,
    send(file) {
      const policy = { allow: config.outbound.allow };
      sender ??= webhookSender({ clock: ports.clock, userAgent, policy, limitMs: FILE_LIMIT_MS });
      return send(sender, file);
    },
  });
  return {
    exports,
    async stop() {
      await exports.stop();
      await sender?.close();
    },
  };
}

/** What a thread can be told. */
function plainLocation(config: Config): StoreLocation {
  const location = locationOf(config, 'mirror');
  return location.kind === 'sqlite' ? { kind: 'sqlite', file: location.file } : location;
}

async function send(sender: Sender, { url, secret, id, name, batch, body }: SentFile): Promise<SentResult> {
  const result = await deliverWebhook(sender, {
    url,
    secret,
    eventId: id,
    body,
    contentType: 'application/octet-stream',
    headers: { 'stayd-export-batch': batch, 'stayd-export-file': name },
    signatureOnly: true,
  });
  const { outcome, status, detail } = result;
  const said = [outcome, status, detail].filter((part) => part !== undefined).join(' ');
  if (outcome === 'delivered') return { state: 'delivered', detail: '' };
  // Of these it is not known whether the receiver had read everything before.
  return { state: outcome === 'timeout' || outcome === 'connect' ? 'unknown' : 'refused', detail: said };
}
