/** What a socket says that was closed from the other side. */
const CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/** Whether a request failed because its caller went before it was all there: nothing is wrong with the service. */
export function isHangUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error && typeof error.code === 'string' && CODES.has(error.code);
}
