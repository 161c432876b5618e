import type { Config } from '../config.ts';
import { instantOf } from '../kernel/dates.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const WORDS = { debug: 'debug', info: 'note', warn: 'warning', error: 'ERROR' } as const;
/** Fields of a log line that people see; others may hold values that bystanders must not see. */
const SHOWN = ['connection', 'resource', 'job', 'half', 'url', 'problem', 'retry_at'];

/**
 * Creates the log for a person at a terminal: warnings and errors as plain lines. Successes are left out, unless
 * `debug` asks for all.
 */
export function terminalLogger(level: Config['log_level'], clock: Clock, out: (text: string) => void): Logger {
  const least = level === 'debug' ? 'debug' : level === 'info' ? 'warn' : level;
  const at = (name: keyof typeof WORDS) => (fields: object, message: string) => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(least)) return;
    const { err, ...rest } = fields as Record<string, unknown>;
    const parts = SHOWN.flatMap((field) => {
      const value = rest[field];
      return typeof value === 'string' || typeof value === 'number' ? [`${field} ${value}`] : [];
    });
    const problem = err instanceof Error ? [`problem ${err.message}`] : [];
    const details = [...parts, ...problem].join(', ');
    const time = instantOf(clock.now()).slice(11, 19);
    out(`${time} ${WORDS[name]}: ${message}${details === '' ? '' : ` (${details})`}`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Returns the next steps for a person who has just started stayd. */
export function welcome(
  { url, core, people, secret }: { url: string; core: boolean; people: boolean; secret: string | undefined },
  { upstream, connections }: Pick<Config, 'upstream' | 'connections'>,
): string[] {
  const sources = [upstream.url, ...Object.values(connections).map((one) => one.url)].filter((one) => one !== null);
  const page = addressForBrowsers(url);
  return [
    '',
    ...(people
      ? secret === undefined
        ? [`  ${page}/console/   the console, for people`]
        : [
            '  Open this to choose your login and password:',
            `  ${page}/console/welcome#${secret}`,
            '  It works once, and is shown only now; ./stayd login invite makes another.',
          ]
      : []),
    `  ${page}/docs   all operations, with examples`,
    ...sources.map((source) => `  mirrors ${source}`),
    '',
    '  Next, in a second terminal in this folder:',
    ...(core
      ? [
          '    ./stayd token create --name first --scope write    a token for the API',
          '    ./stayd simulate --days 60 --properties 5          guests and bookings to look around with',
        ]
      : [
          '    ./stayd doctor                                     whether the other side answers and delivers',
          '    ./stayd report occupancy                           a report of what was read',
        ]),
    '    ./stayd status                                     how it is',
    '',
  ];
}

/** Returns the address for a browser of this machine: sign-in by key refuses bare addresses. */
function addressForBrowsers(url: string): string {
  return url.replace('://127.0.0.1:', '://localhost:');
}
