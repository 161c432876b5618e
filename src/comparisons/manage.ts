import { instantOf } from '../kernel/dates.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import type { ComparisonsContext } from './context.ts';
import { isTrouble } from './health.ts';
import { type ComparisonOutcome, eventsAt, readComparison } from './read.ts';
import {
  addComparison,
  comparisonsOf,
  findingsOf,
  mirroredProperty,
  removeComparison,
  type NamedComparison,
  settleFinding,
} from './table.ts';
import { type ComparisonsTable, urlContext } from './tables.ts';

const MOST_COMPARISONS = 1_000;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,59}$/u;

export interface ComparisonDraft {
  property_id: number;
  name: string;
  /** Where the marketplace shows the calendar of the property. */
  url: string;
  /** By default what the host of the address says. */
  source?: string | undefined;
}

/** Comparisons: the operations for those who set them up. Errors are {@link ApiError}s that name the field. */
export class ComparisonService {
  readonly #context: ComparisonsContext;

  constructor(context: ComparisonsContext) {
    this.#context = context;
  }

  /** Lists the comparisons, each with the number of its findings. */
  async list(): Promise<object[]> {
    const { store, connection } = this.#context;
    const findings = await findingsOf(store.db, { connection });
    return (await comparisonsOf(store.db, connection)).map((comparison) => ({
      ...view(comparison),
      findings: findings.filter(
        ({ comparison_id, settled_at }) => comparison_id === comparison.comparison_id && settled_at === null,
      ).length,
    }));
  }

  /** Lists what only one side knows, the nearest nights first. */
  async findings(): Promise<object[]> {
    const { store, connection, clock } = this.#context;
    const comparisons = new Map((await comparisonsOf(store.db, connection)).map((one) => [one.comparison_id, one]));
    return (await findingsOf(store.db, { connection })).map((finding) => {
      const { connection: _, subject: _subject, is_sold, ...rest } = finding;
      const comparison = comparisons.get(finding.comparison_id);
      return {
        ...rest,
        is_sold: is_sold === 1,
        needs_person: isTrouble(finding, clock.now()),
        name: comparison?.name ?? null,
        property_id: comparison?.property_id ?? null,
        property: comparison?.property ?? null,
      };
    });
  }

  /**
   * Adds a comparison, and reads its calendar at once; an address that cannot be read is refused, and nothing is stored.
   * @throws ApiError 404 for the property, 409 for a name or an address that it has already, 422 for a wrong field
   */
  async add(draft: ComparisonDraft): Promise<object> {
    const { store, connection } = this.#context;
    const row = await this.#rowOf(draft);
    const url = asHttps(draft.url);
    await this.#requireFree(row, url);
    const content = await eventsAt(this.#context, url, row);
    if ('problem' in content) throw invalid('url', `cannot be read: ${content.problem}`);
    await store.transaction(async (trx) => {
      const twin = (await comparisonsOf(trx, connection)).find((one) => isTwin(one, row));
      if (twin) throw taken(row);
      await addComparison(trx, row);
    });
    const outcome = await readComparison(this.#context, row);
    return { ...view(await this.#found(row.comparison_id)), outcome };
  }

  async remove(comparisonId: string): Promise<{ comparison_id: string; name: string }> {
    const { store } = this.#context;
    const { connection, comparison_id, name } = await this.#found(comparisonId);
    await store.transaction((trx) => removeComparison(trx, { connection, comparison_id }));
    return { comparison_id, name };
  }

  /** Reads a calendar now. */
  async read(comparisonId: string): Promise<object> {
    const comparison = await this.#found(comparisonId);
    const outcome: ComparisonOutcome = await readComparison(this.#context, comparison);
    return { ...view(await this.#found(comparisonId)), outcome };
  }

  /** Notes that a person knows of a finding; it is no alarm any more. @throws ApiError 404 */
  async settle(findingId: string): Promise<{ finding_id: string }> {
    const { store, connection, clock } = this.#context;
    const finding = (await findingsOf(store.db, { connection })).find(({ finding_id }) => finding_id === findingId);
    if (!finding) throw new ApiError(404, `finding: there is no ${findingId}`, { field: 'finding' });
    await settleFinding(store.db, finding, instantOf(clock.now()));
    return { finding_id: findingId };
  }

  async #rowOf({ property_id, name, url, source }: ComparisonDraft): Promise<ComparisonsTable> {
    const { store, connection, clock, ids, sealer, sense } = this.#context;
    const address = asHttps(url);
    if (!URL.canParse(address)) throw invalid('url', 'must be an address that begins with https://');
    if (!(await mirroredProperty(store.db, { connection, property_id }))) {
      throw new ApiError(404, `property_id: ${connection} has no property ${property_id}`, { field: 'property_id' });
    }
    const text = name.trim();
    if (!NAME.test(text)) throw invalid('name', 'must be at most 60 letters, digits, blanks, _, . and -');
    const { hostname: host } = new URL(address);
    const chosen = source ?? sense.sourceOf(host);
    if (!sense.sources.includes(chosen)) throw invalid('source', `must be one of ${sense.sources.join(', ')}`);
    const comparison_id = `comparison_${ids()}`;
    const now = instantOf(clock.now());
    return {
      connection,
      comparison_id,
      property_id,
      name: text,
      source: chosen,
      url: sealer.seal(address, urlContext(connection, comparison_id)),
      host,
      created_at: now,
      next_read_at: now,
      tried_at: null,
      good_at: null,
      failures: 0,
      problem: null,
      events: null,
    };
  }

  async #requireFree(row: ComparisonsTable, url: string): Promise<void> {
    const { store, connection, sealer } = this.#context;
    const others = await comparisonsOf(store.db, connection);
    if (others.length >= MOST_COMPARISONS) throw new ApiError(422, `there are ${MOST_COMPARISONS} comparisons already`);
    if (others.some((one) => isTwin(one, row))) throw taken(row);
    const same = others.find((one) => sealer.open(one.url, urlContext(connection, one.comparison_id)) === url);
    if (same) {
      const place = `"${same.name}" of property ${same.property_id}`;
      throw new ApiError(409, `url: this calendar is compared already, as ${place}`, { field: 'url' });
    }
  }

  async #found(comparisonId: string): Promise<NamedComparison> {
    const { store, connection } = this.#context;
    const all = await comparisonsOf(store.db, connection);
    const comparison = all.find(({ comparison_id }) => comparison_id === comparisonId);
    if (!comparison) throw new ApiError(404, `comparison: there is no ${comparisonId}`, { field: 'comparison' });
    return comparison;
  }
}

/** Calendar programs spell addresses so, and mean the same by it. */
function asHttps(url: string): string {
  return url.trim().replace(/^webcals?:/i, 'https:');
}

function isTwin(one: ComparisonsTable, other: ComparisonsTable): boolean {
  return one.property_id === other.property_id && one.name === other.name;
}

function taken({ name, property_id }: ComparisonsTable): ApiError {
  return new ApiError(409, `name: property ${property_id} has a ${name} already`, { field: 'name' });
}

/** Returns a comparison as people see it, without its address. */
function view(comparison: NamedComparison) {
  const { connection: _, url: _url, next_read_at: _next, failures: _failures, ...rest } = comparison;
  return rest;
}
