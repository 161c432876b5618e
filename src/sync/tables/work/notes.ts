import type { TableNote } from '../tableNote.ts';

/** Notes on tasks and staff, automation, the knowledge base. No event announces their changes: scans find them. */
export const workNotes: readonly TableNote[] = [
  {
    table: 'tasks',
    is: 'One task: a cleaning, a repair, a reception.',
    columns: {
      id: 'task_id.',
      type: 'cleaning, maintenance, reception, room_service or other.',
      status: 'pending, in_progress, completed or cancelled.',
      property_id: 'Property; null for none.',
      stay_code: 'Stay it belongs to; null for none.',
      staff_id: 'Who does it; null for nobody yet.',
      staff_name: 'Their name.',
      expected_date: 'Day on which it is to be done.',
      expected_time: 'HH:mm:ss where the property is; null for any time.',
      level: 'standard, simple or advanced; null when not said.',
      currency: 'Currency of the fee.',
      fee_minor: 'What it costs, in minor units.',
      note: 'Remarks.',
      created_at: 'When it was made (UTC).',
      updated_at: 'When it was last changed (UTC).',
    },
  },
  {
    table: 'staffs',
    is: 'One person who does tasks.',
    columns: {
      id: 'staff_id.',
      name: 'Name.',
      mobile: 'Telephone, `+<country code> <number>`.',
      email: 'E-mail address.',
      note: 'Remarks.',
      is_active: '1: at work; 0: not any more.',
    },
  },
  {
    table: 'automation_actions',
    is: 'One message, review or other act that a rule is going to do; gone once it is done.',
    columns: {
      plan_id: 'Id; the same for one rule and one stay.',
      type: 'message or review; others may come.',
      status: 'waiting.',
      name: 'Name of the rule.',
      send_to: 'Whom it is for.',
      stay_code: 'Stay it is about.',
      property_id: 'Property of the stay.',
      channel_type: 'Channel of the stay.',
      scheduled_at: 'When it is due (UTC).',
    },
  },
  {
    table: 'knowledge_bases',
    is: 'One entry of the knowledge base, without its text.',
    columns: {
      id: 'Id.',
      title: 'Title.',
      scope_property: 'all, by_property, by_group or by_room_type.',
      scope_ids: 'Ids it holds for, JSON list; [-1] for all.',
      scope_channel: 'all or by_channel.',
      scope_channels: 'Channels it holds on, JSON list; ["unlimited"] for all.',
      is_enable: '1: switched on.',
      process_status: 'waiting, processing, done or failed.',
    },
  },
];
