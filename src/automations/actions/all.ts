import type { ActionName } from '../rules/actions.ts';
import type { Deed } from './deed.ts';
import { message } from './message.ts';

/** How each action is done. */
export const deeds: { readonly [Name in ActionName]: Deed<Name> } = {
  message,
  draft: message,
} as unknown as { readonly [Name in ActionName]: Deed<Name> };
