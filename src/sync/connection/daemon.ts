import type { ConnectionId } from '../../kernel/ids.ts';
import { giveSealer } from '../../store/sealing/keyed.ts';
import type { BackfillPlan } from '../scans/backfill/plan.ts';
import type { BackfillProgress, BackfillReport } from '../scans/backfill/report.ts';
import { type Connection, openConnection, type Status } from './connection.ts';
import type { Duty, Surroundings } from './surroundings.ts';
import type { Examination } from './examine.ts';
import type { Feed } from '../feed/feed.ts';
import { openReadNumbers } from '../queue/readNumbers.ts';
import type { Measured } from '../trust/measures/meter.ts';
import type { GivenSize, ReconcilePlan } from '../scans/reconcile/planReconciliation.ts';
import type { Acceptance } from '../ingest/receive.ts';
import type { RegistrationNote } from './webhook/registrationNote.ts';
import type { ConnectionSettings } from './settings.ts';
import type { VerifyReport } from '../scans/verify/verify.ts';
import type { KeyToRead } from '../queue/markKeys.ts';
import type { DeliveryHeaders } from '../ingest/verifyDelivery.ts';
import type { ScanProgress, ScanResult } from '../scans/purpose.ts';

export type ConnectionStatus = Status;

interface DaemonOptions extends Omit<Surroundings, 'numbers' | 'duties'> {
  /** The duties of this process; left out: all of them. SQLite requires all. */
  duties?: ReadonlySet<Duty>;
  connections: readonly ConnectionSettings[];
}

/** One connection, as the code that acts on it uses it. */
type Link = Pick<Connection, 'client' | 'feed' | 'zone' | 'time' | 'askGuestLink'>;

/** The running daemon: all connections, each isolated from the others. */
export interface Daemon {
  /** Opens one more connection. Its deliveries are accepted from then on. @throws if one of this name runs */
  add(settings: ConnectionSettings): Promise<void>;
  /**
   * Drains and stops a connection; its rows stay. @param leaves true takes our webhook off the source, too, as far as the
   * source lets us
   */
  remove(connection: ConnectionId, leaves: boolean): Promise<void>;
  /**
   * Receives one delivery to `/hooks/<connection>`; undefined if there is no such connection, or no receiving, here.
   */
  accept(connection: string, rawBody: Buffer, headers: DeliveryHeaders, path?: string): Promise<Acceptance> | undefined;
  /** Returns the changes of a connection. Throws if there is no such connection. */
  feed(connection: ConnectionId): Feed;
  /** Resolves when everything has been read once since the start. */
  caughtUp(connection: ConnectionId): Promise<void>;
  /** Scans the named resource, or all, and applies the answers to the mirror. */
  reconcile(
    connection: ConnectionId,
    resource?: string,
    onProgress?: (progress: ScanProgress) => void,
  ): Promise<ScanResult[]>;
  /** Reads the resources again that have quarantined rows. */
  retryQuarantined(connection: ConnectionId, onProgress?: (progress: ScanProgress) => void): Promise<ScanResult[]>;
  /** Reads everything and writes all current rows again; inbox, history and feed continue. */
  rebuild(connection: ConnectionId, onProgress?: (progress: ScanProgress) => void): Promise<ScanResult[]>;
  /** Reads everything and compares it with the mirror, field by field. */
  verify(connection: ConnectionId, onProgress?: (progress: ScanProgress) => void): Promise<VerifyReport>;
  planBackfill(connection: ConnectionId): Promise<BackfillPlan>;
  planReconciliation(connection: ConnectionId, size?: GivenSize): Promise<ReconcilePlan>;
  /** Reads everything, the most useful first; continues where an earlier read was interrupted. */
  backfill(connection: ConnectionId, onProgress?: (progress: BackfillProgress) => void): Promise<BackfillReport>;
  /** Reads the keys of stored events again. @returns the number of events that name something */
  replay(connection: ConnectionId, eventIds: readonly string[]): Promise<number>;
  /** Reads rows that somebody has just changed and that no event announces. */
  readAgain(connection: ConnectionId, keys: readonly KeyToRead[]): Promise<void>;
  status(connection: ConnectionId): Promise<ConnectionStatus>;
  /** Makes sure at once that our webhook is registered there; `force`: registers it again in any case. */
  register(connection: ConnectionId, force: boolean): Promise<RegistrationNote>;
  /** Sends requests to the source with the token in use, and compares its rows with the events received. */
  examine(connection: ConnectionId): Promise<Examination>;
  /** Returns the measurements since the start of this process. */
  measured(connection: ConnectionId): readonly Measured[];
  /** Returns the parts of a connection that its users need. */
  link(connection: ConnectionId): Link;
  /** Ends all work and releases all claims; accepted events are found again at the next start. */
  stop(): Promise<void>;
}

const everything: ReadonlySet<Duty> = new Set<Duty>(['receive', 'read', 'scan']);

/**
 * Opens every connection of the configuration. Deliveries are accepted from then on; reading continues in the
 * background.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  giveSealer(options.store, options.sealer);
  const numbers = await openReadNumbers(options.store, options.clock);
  const duties = options.duties ?? everything;
  const connections = new Map<string, Connection>();
  const stop = async () => {
    await Promise.all([...connections.values()].map((connection) => connection.stop()));
  };
  const add = async (settings: ConnectionSettings) => {
    if (connections.has(settings.id)) throw new Error(`the connection ${settings.id} runs already`);
    connections.set(settings.id, await openConnection({ ...options, numbers, duties }, settings));
  };
  try {
    for (const settings of options.connections) await add(settings);
  } catch (error) {
    await stop();
    throw error;
  }
  const get = (id: string): Connection => {
    const connection = connections.get(id);
    if (!connection) throw new Error(`there is no connection ${id}`);
    return connection;
  };
  return {
    add,
    async remove(id, leaves) {
      const connection = get(id);
      // Deliveries are refused from now on, and what was accepted before is stored.
      connections.delete(id);
      if (leaves) await connection.unregister();
      await connection.stop();
    },
    accept: (id, rawBody, headers, path) =>
      duties.has('receive') ? connections.get(id)?.receiver.accept(rawBody, headers, path) : undefined,
    feed: (id) => get(id).feed,
    caughtUp: (id) => get(id).scanner.caughtUp(),
    reconcile: (id, resource, onProgress = () => {}) => get(id).scanner.reconcile(resource, onProgress),
    retryQuarantined: (id, onProgress = () => {}) => get(id).scanner.retryQuarantined(onProgress),
    rebuild: (id, onProgress = () => {}) => get(id).scanner.rebuild(onProgress),
    verify: (id, onProgress = () => {}) => get(id).verify(onProgress),
    planBackfill: (id) => get(id).planBackfill(),
    planReconciliation: (id, size) => get(id).planReconciliation(size),
    backfill: (id, onProgress = () => {}) => get(id).backfill(onProgress),
    replay: (id, eventIds) => get(id).replay(eventIds),
    readAgain: (id, keys) => get(id).readAgain(keys),
    status: (id) => get(id).status(),
    register: (id, force) => get(id).register(force),
    examine: (id) => get(id).examine(),
    measured: (id) => get(id).measured(),
    link: (id) => get(id),
    stop,
  };
}
