/** An action, or an attempt that was refused. */
export interface AuditEntry {
  /** A verb and its noun: `create token`, `refused createProperty`. */
  readonly action: string;
  /** The object of the action: `token:3`. */
  readonly subject: string;
  readonly values?: AuditValues | undefined;
}

/** Values before and after: settings and numbers, never a secret, and nothing that names a guest. */
export interface AuditValues {
  readonly before?: object;
  readonly after?: object;
}
