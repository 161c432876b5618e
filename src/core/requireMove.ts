import { ApiError } from '../kernel/errors.ts';
import { type Machine, mayGo, next, type StateOf, type TargetOf, type TriggerOf } from '../kernel/transitions.ts';

/**
 * Returns the state that a caller's trigger leads to. @throws ApiError 400 when the trigger is impossible in this state
 */
export function requireMove<M extends Machine, Trigger extends TriggerOf<M>>(
  machine: M,
  from: StateOf<M> | null,
  trigger: Trigger,
): TargetOf<M, Trigger> {
  if (mayGo(machine, from, trigger)) return next(machine, from, trigger);
  throw new ApiError(400, `The ${machine.name} is ${from ?? machine.before}; this cannot be done now.`);
}
