import { UsageError } from './errors.ts';
import { nearestWord } from './nearest.ts';

type LogMethod = (fields: object, message: string) => void;

/** How much is logged, from most to least. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
/** The level of one line. */
export type LineLevel = Exclude<LogLevel, 'silent'>;

/** The parts of the service that have a level of their own. */
export const logComponents = [
  'service',
  'api',
  'access',
  'console',
  'core',
  'outbox',
  'channels',
  'sync',
  'automations',
  'endpoints',
  'broker',
  'comparisons',
  'notices',
  'exports',
  'backup',
] as const;
export type LogComponent = (typeof logComponents)[number];

/** The part of a structured logger that the folders use. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  /** Returns the logger of a component; absent if all share one level. */
  of?(component: LogComponent): Logger;
  /** Returns true if lines of this level are written now; absent if all are. */
  writes?(level: LineLevel): boolean;
}

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  writes: () => false,
};

/** Returns the logger of a component. */
export function loggerOf(log: Logger, component: LogComponent): Logger {
  return log.of?.(component) ?? log;
}

/** Returns true if lines of this level are written now, so that a costly line can be left out. */
export function isWritten(log: Logger, level: LineLevel): boolean {
  return log.writes?.(level) ?? true;
}

/** Returns a logger that adds these fields to each line. @param more is called for each line */
export function withFields(log: Logger, more: () => object): Logger {
  const at = (level: LineLevel) => (fields: object, message: string) => {
    if (isWritten(log, level)) log[level]({ ...more(), ...fields }, message);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    of: (component) => withFields(loggerOf(log, component), more),
    writes: (level) => isWritten(log, level),
  };
}

/** The level of everything, and those of single components. */
export interface Levels {
  readonly all: LogLevel;
  readonly of: ReadonlyMap<LogComponent, LogLevel>;
}

/**
 * Reads levels such as `info` or `info,sync=debug,outbox=warn`. Without a level for everything it is `info`.
 * @throws UsageError with the wrong word, and a hint with the allowed ones
 */
export function parseLevels(text: string): Levels {
  let all: LogLevel | undefined;
  const of = new Map<LogComponent, LogLevel>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [name = '', level, ...rest] = part.split('=').map((one) => one.trim());
    if (rest.length > 0) throw new UsageError(`"${part}" is neither a level nor a component with one`, LEVELS_HINT);
    if (level === undefined) {
      const given = levelOf(name);
      if (all !== undefined) throw new UsageError(`names two levels for everything, ${all} and ${given}`, LEVELS_HINT);
      all = given;
      continue;
    }
    const component = logComponents.find((one) => one === name);
    if (!component) throw new UsageError(unknownComponent(name), COMPONENTS_HINT);
    if (of.has(component)) throw new UsageError(`names ${component} twice`, COMPONENTS_HINT);
    of.set(component, levelOf(level));
  }
  return { all: all ?? 'info', of };
}

const LEVELS_HINT = `allowed: ${logLevels.join(', ')}, and for single components as in info,sync=debug`;
const COMPONENTS_HINT = `components: ${logComponents.join(', ')}`;

function levelOf(text: string): LogLevel {
  const level = logLevels.find((one) => one === text);
  if (!level) throw new UsageError(`must be one of ${logLevels.join(', ')}; "${text}" is none`, LEVELS_HINT);
  return level;
}

function unknownComponent(name: string): string {
  const meant = nearestWord(name, logComponents);
  return `"${name}" is no component of the log${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** Levels in use; they can change while the service runs. */
export class LogLevels {
  #levels: Levels;

  /** @throws UsageError as {@link parseLevels} */
  constructor(text: string) {
    this.#levels = parseLevels(text);
  }

  /** Brings other levels into use. @throws UsageError as {@link parseLevels}; then nothing changes */
  set(text: string): void {
    this.#levels = parseLevels(text);
  }

  /** Returns the level of a component, or of everything else. */
  of(component: LogComponent | undefined): LogLevel {
    return (component && this.#levels.of.get(component)) ?? this.#levels.all;
  }

  /** Returns true if the component has a level of its own. */
  names(component: LogComponent | undefined): boolean {
    return component !== undefined && this.#levels.of.has(component);
  }
}

/** Writes one line; its level is one that is written. */
export type LineWriter = (
  level: LineLevel,
  component: LogComponent | undefined,
  fields: object,
  message: string,
) => void;

/** Creates a logger that writes the lines that a rule lets pass. */
export function filteredLogger(
  passes: (level: LineLevel, component: LogComponent | undefined) => boolean,
  write: LineWriter,
  component?: LogComponent,
): Logger {
  const at = (level: LineLevel) => (fields: object, message: string) => {
    if (passes(level, component)) write(level, component, fields, message);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    of: (other) => filteredLogger(passes, write, other),
    writes: (level) => passes(level, component),
  };
}

/** Returns true if a line of this level is at least as grave as the least that is written. */
export function isAtLeast(level: LineLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
