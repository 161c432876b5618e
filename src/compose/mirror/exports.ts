import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { Exports } from '../../exports/exporter.ts';
import { inThread } from '../../exports/run/thread.ts';
import type { SentFile, SentResult } from '../../exports/ports.ts';
import type { Logger } from '../../kernel/log.ts';
import { deliverWebhook, type Sender, type SenderOptions, webhookSender } from '../../outbound/deliver.ts';
import { readPostgres, readSqliteFile } from '../../store/sqlite/reading.ts';
import type { StoreLocation } from '../../store/store.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Ports } from '../ports.ts';
import type { OwnSettings } from '../ownSettings.ts';
import { locationOf } from '../stores/stores.ts';
import { BookSettingsInUse } from './bookPlaces.ts';

/** Milliseconds for a receiver of files to answer, including the connection. */
const FILE_LIMIT_MS = 60_000;
const SERVER_ERRORS = 500;

interface OpenedExports {
  exports: Exports;
  stop(): Promise<void>;
}

/** Opens the books of all connections of this process. */
export function openBooks(
  config: Config,
  {
    store,
    ports,
    log,
    userAgent,
    settings: own,
  }: { store: MirrorStore; ports: Ports; log: Logger; userAgent: string; settings?: OwnSettings | undefined },
): OpenedExports {
  const location = plainLocation(config);
  const settings = new BookSettingsInUse(config, own);
  let sender: FileSender | undefined;
  const exports = new Exports({
    store,
    location,
    reader: () => (location.kind === 'sqlite' ? readSqliteFile(location.file) : readPostgres(store)),
    clock: ports.clock,
    ids: ports.ids,
    ...(ports.tracer && { tracer: ports.tracer }),
    log,
    folder: join(config.data_dir, 'exports'),
    bookOf: (connection) => settings.of(connection),
    place: (order) => settings.place(order),
    jobs: config.exports.jobs,
    keepMinutes: config.exports.keep_minutes,
    carryOut: inThread,
    send(file) {
      const policy = { allow: config.outbound.allow };
      sender ??= fileSender({ clock: ports.clock, userAgent, policy, limitMs: FILE_LIMIT_MS });
      return sender.send(file);
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

/** Reduces a location to data that a worker thread can receive. */
function plainLocation(config: Config): StoreLocation {
  const location = locationOf(config, 'mirror');
  return location.kind === 'sqlite' ? { kind: 'sqlite', file: location.file } : location;
}

/** Sends files to addresses, signed as Standard Webhooks. */
interface FileSender {
  send(file: SentFile): Promise<SentResult>;
  close(): Promise<void>;
}

export function fileSender(options: SenderOptions): FileSender {
  const sender = webhookSender(options);
  return { send: (file) => send(sender, file), close: () => sender.close() };
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
  const { outcome, status, detail, unsent = false } = result;
  const said = [outcome, status, detail].filter((part) => part !== undefined).join(' ');
  if (outcome === 'delivered') return { state: 'delivered', detail: '' };
  // In these cases the receiver may have accepted the file: a gateway timed out, or the receiver crashed after its
  // work.
  const isOpen = outcome === 'timeout' || outcome === 'connect' || (status !== undefined && status >= SERVER_ERRORS);
  return { state: isOpen && !unsent ? 'unknown' : 'refused', detail: said };
}
