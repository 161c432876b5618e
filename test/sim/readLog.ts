import type { Purpose } from '../../src/client/gate.ts';
import type { PlainDate } from '../../src/kernel/dates.ts';
import type { Served } from './network.ts';

/** An answer that was heard, as one of the things that it showed knows it. */
export interface Read {
  /** Its line in the trace: an order over all that was sent. */
  sentSeq: number;
  sentAt: number;
  /** When it was heard. */
  at: number;
  isScan: boolean;
  /** Of days: which of them it showed. */
  days?: { from: PlainDate; to: PlainDate };
  /** Its scan did not use it: the list had shifted meanwhile, or there was more of it than is read in one stretch. */
  isThrownAway?: true;
}

/** The newest page of a list that was heard. */
interface HeardPage {
  read: Read;
  start: string | null;
  offset: number;
  isLast: boolean;
}

const scanning: ReadonlySet<Purpose> = new Set<Purpose>([
  'reconcile',
  'reconcile_slow',
  'scan',
  'catch_up',
  'backfill',
]);
const LISTS = /^\/v3\/(reservations|transactions|reviews|availabilities|conversations)$/;
const CONVERSATION = /^\/v3\/conversations\/[^/]+$/;

/** Why each request was made, and what its answer showed. */
export class ReadLog {
  /** Of each operation the purposes that were let pass and are yet to be sent, in their order. */
  readonly #passed = new Map<string, Purpose[]>();
  readonly #sent = new Map<number, { at: number; purpose: Purpose | undefined }>();
  readonly #reads = new Map<string, Read[]>();
  /** By the list with its filters, of which scans move the first date alone. */
  readonly #pages = new Map<string, HeardPage>();
  readonly #isWanted: (subject: string) => boolean;

  /** @param isWanted of which stays, entries, messages and properties something will be asked; left out: of all */
  constructor(isWanted: (subject: string) => boolean = () => true) {
    this.#isWanted = isWanted;
  }

  /** A request was let pass. */
  passed(operation: string, purpose: Purpose): void {
    const queue = this.#passed.get(operation);
    if (queue) queue.push(purpose);
    else this.#passed.set(operation, [purpose]);
  }

  /** A request leaves; its line in the trace names it from now on. */
  sent(seq: number, at: number, method: string, path: string): void {
    const operation = operationOf(method, path);
    if (operation === undefined) return;
    const purpose = this.#passed.get(operation)?.shift();
    this.#sent.set(seq, { at, purpose });
    const { list, start, offset } = listOf(path);
    const page = this.#pages.get(list);
    if (!page) return;
    const isCut = start !== page.start && page.offset === 0 && !page.isLast;
    const isBack = start === page.start && offset < page.offset && !(offset === 0 && page.isLast);
    if (isCut || isBack) page.read.isThrownAway = true;
  }

  /** An answer has arrived. */
  heard({ method, path, data, code, sentSeq }: Served, at: number): void {
    const known = this.#sent.get(sentSeq);
    this.#sent.delete(sentSeq);
    if (code !== 200 || known?.purpose === undefined || operationOf(method, path) === undefined) return;
    const read: Read = { sentSeq, sentAt: known.at, at, isScan: scanning.has(known.purpose) };
    const url = new URL(path, 'http://core.test');
    const { list, start, offset } = listOf(path);
    const rows = data.reservations ?? data.transactions;
    if (read.isScan && rows) this.#pages.set(list, { read, start, offset, isLast: offset + rows.length >= data.total });
    const isConversation = CONVERSATION.test(url.pathname) && url.searchParams.get('limit') !== '1';
    for (const { stay_code } of data.reservations ?? []) this.#note('reservation', stay_code, read);
    for (const { id } of data.transactions ?? []) this.#note('transaction', id, read);
    for (const { reservation_code } of data.reviews ?? []) this.#note('review', reservation_code, read);
    for (const { message_id } of isConversation ? data.messages : []) this.#note('message', message_id, read);
    if (url.pathname !== '/v3/availabilities') return;
    const [from, to] = [url.searchParams.get('start_date') ?? '', url.searchParams.get('end_date') ?? ''];
    for (const { id } of data.properties) this.#note('availability', id, { ...read, days: { from, to } });
  }

  /** Every heard read that showed this, in the order of answers. */
  of(resource: string, subject: string): readonly Read[] {
    return this.#reads.get(`${resource} ${subject}`) ?? [];
  }

  #note(resource: string, id: unknown, read: Read): void {
    const subject = String(id);
    if (!this.#isWanted(subject)) return;
    const key = `${resource} ${subject}`;
    const reads = this.#reads.get(key);
    if (reads) reads.push(read);
    else this.#reads.set(key, [read]);
  }
}

/** The list with its other filters, from which date on it is asked for, and from which row on. */
function listOf(path: string): { list: string; start: string | null; offset: number } {
  const { pathname, searchParams } = new URL(path, 'http://core.test');
  const offset = Number(searchParams.get('offset') ?? 0);
  const start = searchParams.get('start_date');
  searchParams.delete('offset');
  searchParams.delete('start_date');
  return { list: `${pathname}?${searchParams.toString()}`, start, offset };
}

function operationOf(method: string, path: string): string | undefined {
  if (method !== 'GET') return undefined;
  const [pathname = ''] = path.split('?');
  if (CONVERSATION.test(pathname)) return 'getConversation';
  const known = LISTS.exec(pathname)?.[1];
  return known && `list${known[0]?.toUpperCase()}${known.slice(1)}`;
}
