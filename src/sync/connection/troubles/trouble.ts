/** Something about a connection that a person should know. */
export interface Trouble {
  /** What it is about, such as `deliveries`. */
  about: string;
  /** note: worth knowing · problem: somebody must do something · alarm: soon. */
  level: 'note' | 'problem' | 'alarm';
  says: string;
  remedy: string;
}
