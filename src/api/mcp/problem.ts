/** A failure of a request as a whole, before any message of it was looked at. */
export interface Problem {
  /** Of HTTP. */
  readonly status: number;
  /** Of JSON-RPC. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Its answer, in the form that the official packages give it. */
export function problem({ status, code, message, headers }: Problem): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, ...(headers && { headers }) });
}
