type LogMethod = (fields: object, message: string) => void;

/** The part of a structured logger that the folders use; pino implements it. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
