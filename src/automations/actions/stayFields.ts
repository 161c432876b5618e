import { sha256Hex } from '../../kernel/signature.ts';
import type { FreshStay } from '../perform/freshStay.ts';
import { Stopped } from '../perform/stopped.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { Action, ActionContext } from './action.ts';

const always = () => true;

function freshOf({ fresh }: Pick<ActionContext, 'fresh'>): FreshStay {
  if (!fresh) throw new Stopped('skipped', 'stay_gone');
  return fresh;
}

/** Sets or deletes the lock code of a stay. A code that it has set is removed when the stay is cancelled. */
export const lockCode: Action<'lock_code'> = {
  isRepeatable: always,
  speaks: false,
  prepare(actionContext) {
    const { context, plan, spec } = actionContext;
    const { wire } = freshOf(actionContext);
    const { stay_code } = wire;
    const present = wire.check_in_details?.lock_code ?? null;
    if (spec.delete || plan.undo === 1) {
      if (present === null) throw new Stopped('skipped', 'nothing_to_do');
      return {
        text: 'delete the lock code',
        async run(guard) {
          await context.client.call('updateCheckInDetails', { stay_code, lock_code: null }, guard);
          return { deleted: true };
        },
      };
    }
    const lock_code =
      spec.code === undefined
        ? digitsOf(context.keyedHash(`lock code of ${plan.plan_id}`), spec.digits ?? 4)
        : renderTemplate(spec.code, actionContext.scope);
    if (present === lock_code) throw new Stopped('skipped', 'nothing_to_do');
    if (present !== null && !spec.replace) throw new Stopped('skipped', 'has_lock_code');
    const visible = spec.visible_after === undefined ? {} : { lock_code_visible_after: spec.visible_after };
    return {
      // Never the code itself: the list of plans must not show it.
      text: 'set a lock code',
      async run(guard) {
        await context.client.call('updateCheckInDetails', { stay_code, lock_code, ...visible }, guard);
        return { set: true };
      },
    };
  },
};

/** Returns digits that stay the same over all attempts of a plan. */
function digitsOf(hash: string, count: number): string {
  return BigInt(`0x${sha256Hex(hash)}`)
    .toString()
    .slice(-count);
}

/** Adds a tag to a stay or removes it. */
export const tag: Action<'tag'> = {
  isRepeatable: always,
  speaks: false,
  prepare(actionContext) {
    const { spec, scope, context } = actionContext;
    const { wire } = freshOf(actionContext);
    const tag_name = renderTemplate(spec.add ?? spec.remove ?? '', scope);
    const isThere = (wire.tags ?? []).some((one) => one.toLowerCase() === tag_name.toLowerCase());
    if (isThere === (spec.add !== undefined)) throw new Stopped('skipped', 'nothing_to_do');
    const operation = spec.add === undefined ? 'removeReservationTag' : 'addReservationTag';
    return {
      text: `${spec.add === undefined ? 'take off' : 'put on'} the tag ${tag_name}`,
      async run(guard) {
        await context.client.call(operation, { stay_code: wire.stay_code, tag_name }, guard);
      },
    };
  },
};

/** Sets or deletes a custom field of the operator. */
export const customField: Action<'custom_field'> = {
  isRepeatable: always,
  speaks: false,
  prepare(actionContext) {
    const { spec, scope, context } = actionContext;
    const { wire } = freshOf(actionContext);
    const value = spec.value === null ? null : renderTemplate(spec.value, scope);
    if ((wire.custom_fields?.[spec.name] ?? null) === value) throw new Stopped('skipped', 'nothing_to_do');
    return {
      text: value === null ? `delete the field ${spec.name}` : `set the field ${spec.name}`,
      async run(guard) {
        const custom_fields = { [spec.name]: value };
        await context.client.call('updateCustomFields', { stay_code: wire.stay_code, custom_fields }, guard);
      },
    };
  },
};
