import { automationAction } from '../../../contract/automationActions.ts';
import { properties } from '../portfolio/properties.ts';
import { type MirrorResource, named, rowReader } from '../rows/resource.ts';
import { instantFrom } from '../wireValues.ts';

export const readAutomationActions = rowReader({
  schema: automationAction,
  keyFields: ['plan_id'],
  rowKey: (one) => one.plan_id,
  key: (one) => one.plan_id,
  columns: (one, { zone }) => ({
    plan_id: one.plan_id,
    type: one.type,
    status: one.status,
    name: one.name,
    send_to: one.send_to,
    stay_code: one.stay_code,
    property_id: one.property_id,
    channel_type: one.channel_type,
    scheduled_at: instantFrom(one.scheduled_at, zone),
  }),
});

export const automationActions: MirrorResource = {
  name: 'automation_action',
  table: 'automation_actions',
  keyColumn: 'plan_id',
  groupColumn: 'plan_id',
  names: (raw) => named(properties.name, raw['property_id']),
  mayShrink: true,
};
