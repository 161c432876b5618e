/** A network of pipes that computes the maximum flow from one node to another, in whole units (Dinic's method). */
export class Flow {
  readonly #to: number[] = [];
  readonly #room: number[] = [];
  readonly #edges: number[][] = [];

  node(): number {
    return this.#edges.push([]) - 1;
  }

  /** @returns the pipe, for {@link through} */
  pipe(from: number, to: number, capacity: number): number {
    const id = this.#to.push(to) - 1;
    this.#room.push(capacity);
    this.#edges[from]?.push(id);
    // Its twin carries the flow back.
    this.#edges[to]?.push(this.#to.push(from) - 1);
    this.#room.push(0);
    return id;
  }

  /** Returns the flow through a pipe. */
  through(pipe: number): number {
    return this.#room[pipe + 1] ?? 0;
  }

  /** Sends as much flow as possible. @returns the amount */
  most(source: number, sink: number): number {
    let total = 0;
    for (let levels = this.#levels(source); levels[sink] !== undefined; levels = this.#levels(source)) {
      const next = this.#edges.map(() => 0);
      for (let pushed = -1; pushed !== 0; total += pushed) {
        pushed = this.#push(source, sink, Number.MAX_SAFE_INTEGER, levels, next);
        if (pushed === 0) break;
      }
    }
    return total;
  }

  #levels(source: number): (number | undefined)[] {
    const levels: (number | undefined)[] = [];
    levels[source] = 0;
    const queue = [source];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const edge of this.#edges[node] ?? []) {
        const to = this.#to[edge] ?? 0;
        if ((this.#room[edge] ?? 0) <= 0 || levels[to] !== undefined) continue;
        levels[to] = (levels[node] ?? 0) + 1;
        queue.push(to);
      }
    }
    return levels;
  }

  #push(node: number, sink: number, most: number, levels: (number | undefined)[], next: number[]): number {
    if (node === sink) return most;
    const edges = this.#edges[node] ?? [];
    for (; (next[node] ?? 0) < edges.length; next[node] = (next[node] ?? 0) + 1) {
      const edge = edges[next[node] ?? 0] ?? 0;
      const to = this.#to[edge] ?? 0;
      const room = this.#room[edge] ?? 0;
      if (room <= 0 || levels[to] !== (levels[node] ?? 0) + 1) continue;
      const pushed = this.#push(to, sink, Math.min(most, room), levels, next);
      if (pushed === 0) continue;
      this.#room[edge] = room - pushed;
      this.#room[edge ^ 1] = (this.#room[edge ^ 1] ?? 0) + pushed;
      return pushed;
    }
    return 0;
  }
}
