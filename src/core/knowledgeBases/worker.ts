import { turn } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import { next } from '../../kernel/transitions.ts';
import { hasWords } from '../../store/queries/fullText.ts';
import type { Core } from '../context.ts';
import type { KnowledgeBaseRow } from '../workTables.ts';
import { chunksOf, type ContentPart, entryLife } from './rules.ts';
import { addChunks, changeEntry, type ChunkDraft, claimable, dropChunks, lockEntry } from './table.ts';

const POLL_MS = 1_000;
/** Milliseconds after which another worker may claim an unfinished entry. */
const LEASE_MS = 60_000;
const MOST_ATTEMPTS = 3;
/** Chunks of one transaction. */
const BATCH = 200;

/** Processes the texts of the knowledge base: splits them into chunks and indexes their words. */
export function knowledgeWorker(core: Core, log: Logger): Worker {
  return new Worker({
    clock: core.clock,
    log,
    name: 'processing the knowledge base',
    everyMs: POLL_MS,
    async round(signal) {
      while (!signal.aborted) {
        const entry = await claim(core);
        if (!entry) return;
        await processEntry(core, entry);
        await turn();
      }
    },
  });
}

/**
 * Claims the next entry. The claim is a commit, so an entry that a crash leaves behind counts as claimed until its
 * lease ends.
 */
function claim({ store, clock }: Core): Promise<KnowledgeBaseRow | undefined> {
  const now = clock.now();
  return store.transaction(async (trx) => {
    const entry = await claimable(trx, instantOf(now));
    if (!entry) return undefined;
    const waiting =
      entry.process_status === 'processing' ? next(entryLife, entry.process_status, 'abandon') : entry.process_status;
    const claimed = {
      process_status: next(entryLife, waiting, 'claim'),
      attempts: entry.attempts + 1,
      claimed_until: instantOf(now + LEASE_MS),
    };
    await changeEntry(trx, entry, claimed);
    return { ...entry, ...claimed };
  });
}

async function processEntry(core: Core, entry: KnowledgeBaseRow): Promise<void> {
  if (entry.attempts > MOST_ATTEMPTS) return end(core, entry, 'fail', 'it could not be processed several times');
  const chunks = piecesOf(JSON.parse(entry.contents) as ContentPart[]);
  if (!chunks.some((chunk) => hasWords(chunk.text))) return end(core, entry, 'fail', 'it holds no words');
  for (let start = 0; start < chunks.length; start += BATCH) {
    const isOurs = await core.store.transaction(async (trx) => {
      if (!(await stillOurs(trx, entry))) return false;
      if (start === 0) await dropChunks(trx, entry);
      await addChunks(trx, entry, chunks.slice(start, start + BATCH), start);
      return true;
    });
    if (!isOurs) return;
    await turn();
  }
  await end(core, entry, 'index', null);
}

/** Returns the chunks of all parts. The title of a part is indexed with its text. */
function piecesOf(contents: readonly ContentPart[]): ChunkDraft[] {
  return contents.flatMap(({ text, sub_title }) =>
    chunksOf(text).map((piece) => ({ sub_title, text: sub_title ? `${sub_title}\n${piece}` : piece })),
  );
}

async function end({ store }: Core, entry: KnowledgeBaseRow, trigger: 'index' | 'fail', problem: string | null) {
  await store.transaction(async (trx) => {
    if (!(await stillOurs(trx, entry))) return;
    if (trigger === 'fail') await dropChunks(trx, entry);
    const process_status = next(entryLife, entry.process_status, trigger);
    await changeEntry(trx, entry, { process_status, claimed_until: null, problem });
  });
}

/** Returns false when the entry is gone, was rewritten meanwhile, or was claimed by another worker after its lease. */
async function stillOurs(trx: Parameters<typeof lockEntry>[0], entry: KnowledgeBaseRow): Promise<boolean> {
  const now = await lockEntry(trx, entry);
  return (
    now?.process_status === 'processing' && now.revision === entry.revision && now.claimed_until === entry.claimed_until
  );
}
