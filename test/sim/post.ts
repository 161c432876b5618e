import type { Dispatcher } from 'undici';
import type { Sender } from '../../src/outbound/deliver.ts';
import { turns } from '../../src/outbound/turns.ts';
import type { Dice } from '../../src/kernel/seeded.ts';
import type { Trace } from './trace.ts';
import type { ProcessClock } from './virtualTime.ts';

/** How the way of a webhook fails beyond what the core does to its deliveries itself. */
export interface PostFaults {
  /** Milliseconds, at the most. */
  latencyMs: number;
  /** Of a hundred: the receiver's answer is lost, though it took the event. */
  deaf: number;
}

/** The other end of a delivery; undefined: nobody is there. */
export type Receive = (body: Buffer, headers: Record<string, string>) => Promise<{ status: number }> | undefined;

interface PostOptions {
  clock: ProcessClock;
  dice: Dice;
  trace: Trace;
  faults: () => PostFaults;
  receive: Receive;
  /** A delivery leaves the core. */
  onSent(body: string): void;
}

const CONNECTIONS = 8;

/** The core's way to the daemon: real signing and real outcomes over a line with delays and faults. */
export function postOffice(
  { clock, dice, trace, faults, receive, onSent }: PostOptions,
  allow: readonly string[],
): Sender {
  const deliver = (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void => {
    const { latencyMs, deaf } = faults();
    const fail = (reason: string) => {
      trace.add(`post ${reason}`);
      handler.onResponseError?.(controller, new Error(reason));
    };
    const arrive = async () => {
      const answer = receive(request.body as Buffer, headersOf(request.headers as string[]));
      if (!answer) return fail('nobody there');
      const { status } = await answer;
      clock.setTimer(dice.between(1, latencyMs), () => {
        if (dice.percent(deaf)) return fail('answer lost');
        handler.onResponseStart?.(controller, status, {}, '');
        handler.onResponseEnd?.(controller, {});
      });
    };
    handler.onRequestStart?.(controller, {});
    onSent((request.body as Buffer).toString());
    clock.setTimer(dice.between(1, latencyMs), () => void arrive());
  };
  return {
    options: { clock, userAgent: 'sim', policy: { allow } },
    // The sender uses nothing else of a dispatcher.
    dispatcher: { dispatch: deliver } as unknown as Dispatcher,
    turns: turns(CONNECTIONS),
    close: () => Promise.resolve(),
  };
}

const controller = { abort() {} } as unknown as Dispatcher.DispatchController;

function headersOf(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) headers[flat[at] ?? ''] = flat[at + 1] ?? '';
  return headers;
}
