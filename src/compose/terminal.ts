import type { Config } from '../config.ts';
import { instantOf } from '../kernel/dates.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  filteredLogger,
  isAtLeast,
  type LineLevel,
  type LogComponent,
  type Logger,
  type LogLevels,
} from '../kernel/log.ts';

const WORDS = { debug: 'debug', info: 'note', warn: 'warning', error: 'ERROR' } as const;
/** Fields of a log line that people see; others may hold values that bystanders must not see. */
const SHOWN = [
  'connection',
  'resource',
  'job',
  'half',
  'url',
  'method',
  'route',
  'status',
  'error_code',
  'ms',
  'peer',
  'problem',
  'retry_at',
  'request_id',
  'trace_id',
];

/**
 * Creates the log for a person: warnings and errors as plain lines. Successes are left out, unless `debug` asks for all,
 * or `info` is the level of their component by name.
 */
export function terminalLogger(levels: LogLevels, clock: Clock, out: (text: string) => void): Logger {
  const passes = (level: LineLevel, component: LogComponent | undefined) => {
    const least = levels.of(component);
    return isAtLeast(level, least === 'info' && !levels.names(component) ? 'warn' : least);
  };
  return filteredLogger(passes, (level, component, fields, message) => {
    const { err, ...rest } = fields as Record<string, unknown>;
    const parts = SHOWN.flatMap((field) => {
      const value = rest[field];
      return typeof value === 'string' || typeof value === 'number' ? [`${field} ${value}`] : [];
    });
    const problem = err instanceof Error ? [`problem ${err.message}`] : [];
    const details = [...parts, ...problem].join(', ');
    const time = instantOf(clock.now()).slice(11, 19);
    const from = component === undefined ? '' : `${component}: `;
    out(`${time} ${WORDS[level]}: ${from}${message}${details === '' ? '' : ` (${details})`}`);
  });
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
