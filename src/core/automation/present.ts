import type { z } from 'zod';
import type { automationAction } from '../../contract/automationActions.ts';
import { withOffset } from '../../kernel/dates.ts';
import type { RuleType } from '../workTables.ts';
import type { NamedPlan } from './table.ts';

/** Receiver of each type of action. */
const RECEIVERS: Record<RuleType, string> = { message: 'guest', review: 'guest', task: 'staff' };

/** Returns the public form of a plan. @param zone time zone of the operator */
export function presentPlan(row: NamedPlan, zone: string): z.output<typeof automationAction> {
  return {
    plan_id: row.plan_id,
    type: row.type,
    status: 'waiting',
    name: row.name,
    send_to: RECEIVERS[row.type],
    stay_code: row.stay_code,
    property_id: row.property_id,
    property_title: row.property_name,
    scheduled_at: withOffset(row.scheduled_at, zone),
    channel_type: row.channel_type,
  };
}
