import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Operation } from '../../contract/operation.ts';

/** The hints that follow from the first word of a tool's name. */
const VERBS: Readonly<Record<string, { readonly destructive: boolean; readonly idempotent: boolean }>> = {
  search: { destructive: false, idempotent: true },
  get: { destructive: false, idempotent: true },
  create: { destructive: false, idempotent: false },
  update: { destructive: false, idempotent: true },
  delete: { destructive: true, idempotent: true },
  cancel: { destructive: true, idempotent: true },
  decline: { destructive: true, idempotent: true },
  approve: { destructive: false, idempotent: true },
  allocate: { destructive: false, idempotent: true },
  move: { destructive: false, idempotent: true },
  add: { destructive: false, idempotent: true },
  remove: { destructive: false, idempotent: true },
  send: { destructive: false, idempotent: false },
  execute: { destructive: false, idempotent: false },
};

/** Tools with an immediate effect outside: a guest reads it, or a channel shows it to strangers. */
const REACH_OUTSIDE: ReadonlySet<string> = new Set([
  'approve_reservation',
  'create_calendar_share_link',
  'create_review',
  'decline_reservation',
  'execute_automation_action',
  'send_message',
  'update_availabilities',
  'update_listing_inventories',
  'update_listing_prices',
  'update_listing_restrictions',
]);

/** Returns all four hints explicitly, because a missing hint counts as destructive and open to the world. */
export function annotationsOf({ scope }: Operation, name: string): Required<ToolAnnotations> {
  const verb = VERBS[name.split('_', 1)[0] ?? ''];
  if (!verb) throw new Error(`the tool ${name} begins with a verb that has no row`);
  return {
    title: titleOf(name),
    readOnlyHint: scope === 'read',
    destructiveHint: verb.destructive,
    idempotentHint: verb.idempotent,
    openWorldHint: REACH_OUTSIDE.has(name),
  };
}

/** Formats `search_income_items` as `Search income items`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}
