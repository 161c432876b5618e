import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { UsageError } from '../../kernel/errors.ts';
import { HEADER_VALUE } from '../../kernel/signature.ts';
import { ModelCaller, OWN_MEMBERS } from '../../outbound/askModel.ts';
import { portOf } from '../../outbound/target.ts';

const KEY_FILE = 'ai.key';

/** Opens the configured language model; undefined if none is configured. */
export function openModel(
  config: Config,
  { clock, userAgent }: { clock: Clock; userAgent: string },
): ModelCaller | undefined {
  const { ai, outbound } = config;
  const { url, model } = ai;
  const taken = Object.keys(ai.parameters).find((name) => OWN_MEMBERS.has(name));
  if (taken !== undefined)
    throw new UsageError(`ai.parameters: must not hold ${taken}`, 'leave it out: stayd decides it');
  if (url === null || model === null) return undefined;
  const own = ai.local ? [`${new URL(url).hostname}:${portOf(new URL(url))}`] : [];
  return new ModelCaller({
    clock,
    userAgent,
    policy: { allow: [...outbound.allow, ...own] },
    endpoint: { url, model, key: keyOf(config), parameters: ai.parameters, limitMs: ai.timeout_seconds * 1_000 },
  });
}

/** Returns the configured key, else the one in the data directory; null if the endpoint needs none. */
function keyOf({ ai, data_dir }: Config): string | null {
  if (ai.key !== null) return ai.key;
  const file = join(data_dir, KEY_FILE);
  if (!existsSync(file)) return null;
  const key = readFileSync(file, 'utf8').trim();
  if (key !== '' && HEADER_VALUE.test(key)) return key;
  throw new UsageError(`${file} holds no key`, 'write the key into it, on one line, or remove the file');
}
