import type { Model } from '../model.ts';

export function postmanCollection(_: Model): unknown {
  return {};
}
