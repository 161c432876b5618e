type LogMethod = (fields: object, message: string) => void;

/** The part of a structured logger that the rooms use; pino's has this form. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
