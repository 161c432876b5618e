import { dialectOfCaller } from '../../../src/contract/dialect/dialect.ts';
import type { Profile } from '../../../src/contract/dialect/profile.ts';
import { type OperationId, operationIds, operations } from '../../../src/contract/index.ts';
import type { SimCore } from '../../sim/core.ts';

/** A host who asks and hears as described, whatever the core speaks. */
export function asDescribed(profile: Profile, core: SimCore): SimCore['host'] {
  const { operations: theirs } = dialectOfCaller(profile);
  return async (method, path, body) => {
    const [place = '', search = ''] = path.split('?', 2);
    const { id, params } = meant(method, place);
    const { path: template, method: said, query, body: toTheirs, data: fromTheirs, params: named } = theirs[id];
    const values = (named?.(params) ?? params) as Record<string, string>;
    const spokenPath = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const asked = Object.fromEntries(new URLSearchParams(search));
    const spoken = new URLSearchParams((query?.(asked) ?? asked) as Record<string, string>);
    const given = body && (toTheirs?.(structuredClone(body)) ?? body);
    const answer = await core.host(
      said,
      `${spokenPath}?${spoken.toString()}`,
      given as Record<string, unknown> | undefined,
    );
    if (answer?.data) answer.data = (fromTheirs?.(answer.data) ?? answer.data) as typeof answer.data;
    return answer;
  };
}

/** The operation that a path of the description stands for; fixed paths come before those with names in them. */
function meant(method: string, place: string): { id: OperationId; params: Record<string, string> } {
  const named = operationIds.flatMap((id) => {
    const { path, method: own } = operations[id];
    const found = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(place);
    return own === method && found ? [{ id, params: { ...found.groups } }] : [];
  });
  const [first] = named.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (!first) throw new Error(`${method} ${place} is no operation`);
  return first;
}
