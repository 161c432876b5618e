import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ManyConnections, startManyConnections } from './support/manyConnections.ts';

const CONNECTIONS = 6;
const ROUNDS = 3;
/** Milliseconds for all first reads, also on a busy machine. */
const READ_MS = 150_000;
/** Milliseconds that any process waits for the processor on a busy machine, whichever connection it serves. */
const NOISE_MS = 500;

it('many connections in one process are served alike', async () => {
  let world: ManyConnections | undefined;
  try {
    world = await startManyConnections(CONNECTIONS);
    await world.connectAll(READ_MS);
    await world.change(ROUNDS, 10);
    await world.settled();
    const watched = await world.watched();
    assert.deepEqual(
      watched.filter(({ missing }) => missing > 0),
      [],
    );
    const stale = watched.map(({ delaysMs }) => delaysMs[Math.floor(delaysMs.length / 2)] ?? Number.NaN);
    const median = stale.toSorted((a, b) => a - b)[Math.floor(stale.length / 2)] ?? Number.NaN;
    assert.ok(Math.max(...stale) <= 2 * median + NOISE_MS, `median ${median} ms, slowest ${Math.max(...stale)} ms`);
  } finally {
    await world?.remove();
  }
});
