import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { IncomingMessage } from 'node:http';
import { runningControl, startForCommand } from '../compose/forCommand.ts';
import { requireDataDir } from '../compose/stores/requireDataDir.ts';
import type { Control } from '../compose/privacy/privateFiles.ts';
import { OperatorError, UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';

type Json = Record<string, unknown>;
/** Receives the progress lines of a long call. */
type OnProgress = (progress: Json) => void;

/** The management API of a service, as commands use it. */
export interface Portal {
  /** False for a process that only mirrors. */
  readonly hasCore: boolean;
  get<T>(path: string, query?: Record<string, string | number | undefined>): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T>;
  /** Makes a long call; `onProgress` receives each line when it arrives. */
  run<T>(path: string, body: object, onProgress: OnProgress): Promise<T>;
}

/**
 * Runs `work` against the running service of this data directory, or against one started for the time of the command.
 * Every change goes through a service, because the service holds the lock.
 */
export async function withPortal<T>(context: CliContext, work: (portal: Portal) => Promise<T>): Promise<T> {
  const config = await context.loadConfig();
  const running = await runningControl(config);
  if (running) return work(portalAt(running, context.signal));
  requireDataDir(config);
  const service = await startForCommand(config);
  try {
    return await work(portalAt(service.control, context.signal));
  } finally {
    await service.stop();
  }
}

/** Runs `work` like `withPortal`, for operations that need a core. @throws OperatorError if no core runs */
export function withCore<T>(context: CliContext, work: (portal: Portal) => Promise<T>): Promise<T> {
  return withPortal(context, (portal) => {
    if (portal.hasCore) return work(portal);
    throw new OperatorError(
      'no core runs here, so there are no accounts and no tokens: this stayd only mirrors another deployment',
      'run the command where that deployment runs; here /portal and /mirror take the control secret',
    );
  });
}

/** Returns the management API of the service that `control` leads to. */
export function portalAt(control: Control, signal: AbortSignal): Portal {
  return {
    hasCore: control.core,
    get<T>(path: string, query: Record<string, string | number | undefined> = {}) {
      const given = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
      const text = given.toString();
      return whileItLives(
        signal,
        async () => (await answerOf(await call(control, signal, 'GET', text ? `${path}?${text}` : path))) as T,
      );
    },
    send<T>(method: string, path: string, body?: object) {
      return whileItLives(signal, async () => (await answerOf(await call(control, signal, method, path, body))) as T);
    },
    run<T>(path: string, body: object, onProgress: OnProgress) {
      return whileItLives(signal, async () => {
        const response = await call(control, signal, 'POST', path, body);
        if (response.statusCode !== 200) throw failureOf(await json(response));
        for await (const line of createInterface({ input: response })) {
          const said = JSON.parse(line) as { progress?: Json; result?: T; error?: Json };
          if (said.progress) onProgress(said.progress);
          if (said.error) throw failureOf({ error: said.error });
          if (said.result !== undefined) return said.result;
        }
        throw stoppedEarly();
      });
    },
  };
}

/** Error codes of a connection whose other end is gone. */
const CUT_OFF = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);

async function whileItLives<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (signal.aborted || code === undefined || !CUT_OFF.has(code)) throw error;
    throw stoppedEarly();
  }
}

function stoppedEarly(): OperatorError {
  return new OperatorError(
    'the service stopped before the work was done',
    'look at its log, then run the command again',
  );
}

function call(
  control: Control,
  signal: AbortSignal,
  method: string,
  path: string,
  body?: object,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const outgoing = request(
      `${control.url}${path}`,
      {
        method,
        signal,
        headers: {
          'stayd-control-secret': control.secret,
          // Node frames the body of a DELETE only if the length is given.
          ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      resolve,
    );
    outgoing.once('error', reject);
    outgoing.end(text);
  });
}

async function answerOf(response: IncomingMessage): Promise<Json> {
  const answer = await json(response);
  if ((response.statusCode ?? 500) >= 400) throw failureOf(answer);
  return answer;
}

async function json(response: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function failureOf(answer: Json): OperatorError {
  const { message, hint, field } = (answer['error'] ?? {}) as { message?: string; hint?: string; field?: string };
  // The service names a wrong field, which a command received as an argument.
  if (message !== undefined && field !== undefined) return new UsageError(message, hint);
  return new OperatorError(message ?? 'the service refused without saying why', hint);
}
