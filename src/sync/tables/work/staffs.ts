import { staff } from '../../../contract/staffs.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { flag } from '../wireValues.ts';

export const readStaffs = rowReader({
  schema: staff,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    mobile: one.mobile,
    email: one.email,
    note: one.note,
    is_active: flag(one.is_active),
  }),
});

export const staffs: MirrorResource = {
  name: 'staff',
  table: 'staffs',
  keyColumn: 'id',
  groupColumn: 'id',
  async lookUp(client, reading, key, options) {
    const answer = await client.call('listStaffs', { id: Number(key), limit: 1 }, options);
    return readStaffs(answer.data.staffs, answer, reading);
  },
};
