/** A subject that some parts announce and others listen to, so that neither holds the other. */
export class Topic<Value = void> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Calls `listener` with each later value, in the order of subscription. */
  subscribe(listener: (value: Value) => void): void {
    this.#listeners.add(listener);
  }

  /** Announces a value to all who listen now. A value without a listener is dropped. */
  publish(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
