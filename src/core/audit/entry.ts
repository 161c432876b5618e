/** Something that somebody did, or was not let do. */
export interface AuditEntry {
  /** A verb and its noun: `create token`, `refused createProperty`. */
  readonly action: string;
  /** Which thing: `token:3`. */
  readonly subject: string;
  readonly values?: AuditValues | undefined;
}

/** What stood there and what stands there now: settings and numbers, never a secret, and nothing that names a guest. */
export interface AuditValues {
  readonly before?: object;
  readonly after?: object;
}
