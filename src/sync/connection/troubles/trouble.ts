/** What the troubles of a connection are about. */
export const TROUBLE_SUBJECTS = [
  'deliveries',
  'webhook',
  'reading',
  'freshness',
  'quarantine',
  'limits',
  'clock',
  'conversations',
  'unknown fields',
] as const;

/** A fact about a connection that a person should know. */
export interface Trouble {
  about: (typeof TROUBLE_SUBJECTS)[number];
  /** note: worth knowing · problem: needs an action · alarm: needs it soon. */
  level: 'note' | 'problem' | 'alarm';
  says: string;
  remedy: string;
}
