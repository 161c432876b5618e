import { type DestinationStream, pino } from 'pino';
import type { Config } from '../../config.ts';
import { systemClock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { filteredLogger, isAtLeast, type LogComponent, type Logger, LogLevels } from '../../kernel/log.ts';
import { terminalLogger } from '../terminal.ts';

/** Headers and fields whose values never reach the log. */
const SECRET_PATHS = [
  'headers.authorization',
  'headers["service-access-token"]',
  'headers["service-webhook-secret-token"]',
  '*.token',
  '*.secret',
  '*.secret_token',
  '*.code_verifier',
  '*.refresh_token',
];

/**
 * Creates the structured log: one JSON object a line, moments as ISO text, `component` for parts of the service.
 * @param destination by default the standard output
 */
export function serviceLogger(levels: LogLevels, destination?: DestinationStream): Logger {
  const settings = {
    // The levels are judged before a line gets here, because they can change.
    level: 'debug',
    base: null,
    timestamp: () => `,"time":"${instantOf(systemClock.now())}"`,
    redact: { paths: SECRET_PATHS, censor: '…' },
  };
  const everything = destination ? pino(settings, destination) : pino(settings);
  const children = new Map<LogComponent, ReturnType<typeof everything.child>>();
  const linesOf = (component: LogComponent) => {
    const child = children.get(component) ?? everything.child({ component });
    children.set(component, child);
    return child;
  };
  return filteredLogger(
    (level, component) => isAtLeast(level, levels.of(component)),
    (level, component, fields, message) => (component ? linesOf(component) : everything)[level](fields, message),
  );
}

/** The log of a service, and its levels, which can change while it runs. */
export interface ServiceLog {
  readonly log: Logger;
  readonly levels: LogLevels;
}

/** Opens the log as the settings say. @param isRead true if a person reads the output, line by line */
export function openLog(
  { log_level: level, log_format: format }: Pick<Config, 'log_level' | 'log_format'>,
  { isRead, out }: { isRead: boolean; out(text: string): void },
): ServiceLog {
  const levels = new LogLevels(level);
  const isPretty = format === 'pretty' || (format === 'auto' && isRead);
  return { log: isPretty ? terminalLogger(levels, systemClock, out) : serviceLogger(levels), levels };
}
