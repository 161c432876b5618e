import { readFileSync } from 'node:fs';

const SOURCES = new URL('../../src/', import.meta.url);
const HOOK = new URL('plantedText.mjs', import.meta.url);

/** A mistake that the simulation must find, as changes to the text of the program: nothing in it knows of them. */
export interface PlantedBug {
  name: string;
  edits: readonly { file: string; find: string; replace: string }[];
}

const bug = (name: string, ...edits: [file: string, find: string, replace: string][]): PlantedBug => ({
  name,
  edits: edits.map(([file, find, replace]) => ({ file, find, replace })),
});

export const plantedBugs: readonly PlantedBug[] = [
  bug('acknowledges before the commit', [
    'sync/ingest/receive.ts',
    'await group.add(identified);',
    'void group.add(identified).catch(onFailure);',
  ]),
  bug('an old answer replaces a newer one', [
    'sync/apply/decide.ts',
    'stored.read_number >= number',
    'stored.read_number >= number + 1_000_000',
  ]),
  bug('numbers a read when its answer comes', [
    'sync/refetch/lookUp.ts',
    'const missing = page.missing',
    'number = await context.numbers.take();\n  const missing = page.missing',
  ]),
  bug(
    'forgets what was marked during a read',
    ['sync/queue/closeKeys.ts', '(row) => row.mark_number < number,', '() => true,'],
    [
      'sync/queue/dirtyKeys.ts',
      ".where((eb) => inList(eb.ref('key'), arg.keys))\n      .where('mark_number', '<', arg.number),\n);\n\n/** Schedules one more read",
      ".where((eb) => inList(eb.ref('key'), arg.keys))\n      .where((eb) => eb.or([eb('mark_number', '<', arg.number), eb('mark_number', '>', 0)])),\n);\n\n/** Schedules one more read",
    ],
  ),
  bug('takes any failure for gone', ['sync/refetch/lookUp.ts', 'error.code === 404', 'error.code !== 429']),
  bug('asks on before Retry-After has ended', [
    'client/client.ts',
    'gate.hold(error.retryAfterMs ?? WAIT_MS,',
    'gate.hold(0,',
  ]),
  bug('gives up a key at its first failure', [
    'sync/refetch/reader.ts',
    "later.dead ? 'give_up' : 'postpone'",
    "'give_up'",
  ]),
  bug('does not follow what a change touches', ['sync/apply/following.ts', 'if (!touches) return [];', 'return [];']),
  bug('keeps one room of a booking', [
    'sync/apply/apply.ts',
    'rows.map((row) => [row.rowKey, row])',
    'rows.map((row) => [row.key, row] as never)',
  ]),
  bug('does not catch up after a start', [
    'sync/tables/connection/state.ts',
    'doUpdateSet({ base_url: baseUrl, catch_up_due: why })',
    'doUpdateSet({ base_url: baseUrl })',
  ]),
  bug('takes failed deliveries of a stop for nothing', [
    'sync/connection/source/owedAfterStop.ts',
    'answer.failed > 0',
    'false',
  ]),
  bug('reads the first dates of a burst only', [
    'sync/ingest/receive.ts',
    'mark.hint = `${mark.hint},${hint.text}`;',
    '',
  ]),
  bug('keeps what is gone upstream', [
    'sync/apply/apply.ts',
    'return stored.filter((row) => !seen',
    'return [].filter((row: any) => !seen',
  ]),
  bug('keeps the nights of before a move', [
    'sync/apply/apply.ts',
    '    const rowKeys = changed.map(({ row }) => row.rowKey);\n    await resource.sideTables?.clear(trx, connection, rowKeys);',
    '    const rowKeys = changed.map(({ row }) => row.rowKey);',
  ]),
  bug('closes nights whatever was marked meanwhile', [
    'sync/refetch/lookUpDays.ts',
    'answer,\n        origin,\n        marksBelow,',
    'answer,\n        origin,\n        marksBelow: Number.MAX_SAFE_INTEGER,',
  ]),
  bug('the core forgets the deliveries that its end cut off', [
    'core/outbox/delivery.ts',
    'for (const { webhook_id } of await webhooksWithDue(store.db, clock.now())) this.#lane(webhook_id).spill();',
    'if (this.#options) return;',
  ]),
  bug('reconciles only what was never read', [
    'sync/scans/reconcile/due.ts',
    'const wanted = freshSince === undefined ? nowMs : freshSince + beginAfterMs(maxAgeMs, lastedMs(row));',
    'const wanted = freshSince === undefined ? nowMs : Number.POSITIVE_INFINITY;',
  ]),
];

/** How often the text that a bug replaces is there, for each of its edits; anything but once: the program has changed. */
export function placesOf({ edits }: PlantedBug): number[] {
  return edits.map(({ file, find }) => readFileSync(new URL(file, SOURCES), 'utf8').split(find).length - 1);
}

/**
 * What `node --import` takes so that the process loads the program with the bug in it; the files stay as they are.
 * @throws when its place has moved
 */
export function planting(bug: PlantedBug): string {
  const places = placesOf(bug);
  if (places.some((count) => count !== 1))
    throw new Error(`"${bug.name}" has ${places.join(', ')} places: the program has changed`);
  const edits = bug.edits.map(({ file, ...edit }) => ({ url: new URL(file, SOURCES).href, ...edit }));
  const module = `import { register } from 'node:module';
    register(${JSON.stringify(HOOK.href)}, { data: ${JSON.stringify(edits)} });`;
  return `data:text/javascript,${encodeURIComponent(module)}`;
}
