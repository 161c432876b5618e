/** Error codes of a socket that the other side has closed. */
const CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/**
 * Returns true if a request failed because its caller left before it was complete, which is no fault of the service.
 */
export function isHangUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error && typeof error.code === 'string' && CODES.has(error.code);
}
