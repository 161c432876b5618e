/** A fact about a connection that a person should know. */
export interface Trouble {
  /** The subject, such as `deliveries`. */
  about: string;
  /** note: worth knowing · problem: needs an action · alarm: needs it soon. */
  level: 'note' | 'problem' | 'alarm';
  says: string;
  remedy: string;
}
