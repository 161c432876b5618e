import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { openModel } from '../mirror/model.ts';
import { version } from '../version.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const CHECK = 'language model';
const KEY_REFUSED: ReadonlySet<number> = new Set([401, 403]);
const NO_LIST: ReadonlySet<number> = new Set([404, 405, 501]);
/** The suffix that ollama adds to a model without a version. */
const LATEST = ':latest';

/** Checks that the configured language model answers. It requests the list of models, and generates no text. */
export async function lookAtModel(config: Config, clock: Clock): Promise<Finding> {
  const { url, model } = config.ai;
  const caller = openModel(config, { clock, userAgent: `stayd/${version()}` });
  if (!caller || url === null || model === null)
    return note(CHECK, 'none is configured, and nobody is asked for drafts');
  try {
    const answer = await caller.list();
    if ('problem' in answer) return failed(url, answer);
    const { models } = answer;
    if (models === null || models.includes(model) || models.includes(model + LATEST)) {
      return ok(CHECK, `${url} answers${models === null ? '' : `, and has ${model}`}`);
    }
    const some = models.slice(0, 5).join(', ') || 'none';
    return problem(CHECK, `${url} answers, but has no ${model}`, `set ai.model to one that it has: ${some}`);
  } finally {
    await caller.close();
  }
}

function failed(url: string, { problem: says, status }: { problem: string; status?: number }): Finding {
  if (status !== undefined && NO_LIST.has(status)) return ok(CHECK, `${url} answers; it has no list of its models`);
  if (status !== undefined && KEY_REFUSED.has(status)) {
    return problem(
      CHECK,
      `${url} refuses the key: ${says}`,
      'put a key that is alive into ai.key of the data directory',
    );
  }
  const isRefused = says.startsWith('the address ') || says.includes('leads to');
  const remedy = isRefused
    ? 'for an address in this machine or its network set ai.local: true'
    : 'check ai.url and the network; rules with ai_draft put messages before a person meanwhile';
  return problem(CHECK, `${url}: ${says}`, remedy);
}
