import type { ConnectionStatus, ServiceStatus } from '../client/status.ts';
import { runningControl, startForCommand } from '../compose/forCommand.ts';
import type { Control } from '../compose/privacy/privateFiles.ts';
import type { Config } from '../config.ts';
import { pause, systemClock } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { type Portal, portalAt } from './portal.ts';
import { progressDisplay } from './progress.ts';

const LOOK_MS = 300;
/** Milliseconds within which a service is back after a restart with new settings. */
const BACK_MS = 60_000;

/** The name under which `scans` reports a full read. */
const EVERYTHING = 'everything';

/** The result of the first read of a connection. */
export interface FirstRead {
  rows: number;
  requests: number;
  seconds: number;
  /** Problems for a person. Fields that the deployment does not supply are left out. */
  troubles: readonly { says: string; remedy: string | null }[];
}

/**
 * Runs `work` against the service of this data directory with the new settings: the running service after a restart, or
 * one started for the time of the command.
 */
export async function withNewSettings<T>(
  config: Config,
  context: CliContext,
  work: (portal: Portal) => Promise<T>,
): Promise<T> {
  const running = await runningControl(config);
  if (running) return work(portalAt(await reloaded(config, running, context), context.signal));
  const service = await startForCommand(config);
  try {
    return await work(portalAt(service.control, context.signal));
  } finally {
    await service.stop();
  }
}

/** The answer of a service that was asked to take in its settings. */
interface Taken {
  /** False if it did so without a restart. */
  reloading: boolean;
  failed?: { connection: string; problem: string }[];
}

export async function reloaded(config: Config, before: Control, context: CliContext): Promise<Control> {
  const begunAt = (control: Control) =>
    portalAt(control, context.signal)
      .get<{ started_at: string }>('/portal/settings')
      .then((settings) => settings.started_at);
  const earlier = await begunAt(before);
  const taken = await portalAt(before, context.signal).send<Taken>('POST', '/portal/settings/reload', {});
  const [failed] = taken.failed ?? [];
  if (failed) throw new OperatorError(`${failed.connection} could not begin: ${failed.problem}`, 'look at the log');
  if (!taken.reloading) return before;
  const begun = systemClock.monotonic();
  while (systemClock.monotonic() - begun < BACK_MS && !context.signal.aborted) {
    const control = await runningControl(config);
    if (control && (await begunAt(control).catch(() => earlier)) !== earlier) return control;
    await pause(LOOK_MS, context.signal);
  }
  throw new OperatorError(
    'the service did not come back with the new settings',
    'look at its log; ./stayd doctor helps',
  );
}

interface Following {
  name: string;
  /** Expected number of requests. */
  planned: number;
  context: CliContext;
  quiet: boolean;
}

/** Waits for the first complete read. @throws OperatorError with the reason if the read is impossible */
export async function followFirstRead(
  portal: Portal,
  { name, planned, context, quiet }: Following,
): Promise<FirstRead> {
  const display = progressDisplay(context, quiet);
  const begun = systemClock.monotonic();
  try {
    for (;;) {
      const { connections } = await portal.get<ServiceStatus>('/portal/status', {
        connection: name,
      });
      const status = connections[name];
      if (!status) {
        throw new OperatorError(
          `the running service knows no connection ${name}`,
          'it could not be started with the new settings, and goes on with those of before: look at its log',
        );
      }
      if (status.caught_up_age !== null) return readOf(status, begun);
      const stuck = status.troubles.find(({ about }) => about === 'reading');
      if (status.state !== 'active' || stuck) {
        const why = stuck?.says ?? status.reason ?? status.state;
        throw new OperatorError(`${name} cannot be read: ${why}`, stuck?.remedy ?? './stayd doctor looks into it');
      }
      const done = requestsOf(status);
      const now = Object.entries(status.scans).find(([what, one]) => one.state === 'running' && what !== EVERYTHING);
      display.update({ done, total: Math.max(planned, done), text: `reading ${now?.[0] ?? 'the account'}` });
      await pause(LOOK_MS, context.signal);
      if (context.signal.aborted) {
        throw new OperatorError('stopped while reading', './stayd start goes on where it was');
      }
    }
  } finally {
    display.end();
  }
}

function requestsOf({ requests }: ConnectionStatus): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

function readOf(status: ConnectionStatus, begun: number): FirstRead {
  return {
    rows: status.scans[EVERYTHING]?.rows ?? 0,
    requests: requestsOf(status),
    seconds: Math.round((systemClock.monotonic() - begun) / 1_000),
    troubles: status.troubles.filter(({ about }) => about !== 'unknown fields'),
  };
}
