/** A failure of a whole request, before any message of it was read. */
interface Problem {
  /** The HTTP status. */
  readonly status: number;
  /** The JSON-RPC code. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns its answer in the form of the official packages. */
export function problem({ status, code, message, headers }: Problem): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, ...(headers && { headers }) });
}
