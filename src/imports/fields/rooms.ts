import { z } from 'zod';
import { columnChoice } from './oneWay.ts';
import { cellReader, refuse, remark, type ReadingRow, type Scope } from './scope.ts';

/**
 * The number of rooms in a row. A row becomes one reservation of one unit, so the user must decide about several rooms.
 */
export const roomsField = z.strictObject({
  column: columnChoice,
  several: z.enum(['refuse', 'as_one'], { error: 'give refuse or as_one' }).default('refuse'),
});
type RoomsField = z.output<typeof roomsField>;

/** @returns a reader that records a problem, or a remark, for a row of several rooms */
export function roomsReader(field: RoomsField | undefined, scope: Scope): (row: ReadingRow) => void {
  if (!field) return () => {};
  const cell = cellReader(scope, field.column, 'booking.rooms.column');
  return (row) => {
    const text = cell(row);
    if (text === null) return;
    const number = scope.readNumber(text);
    if (!number || number.mark !== '') refuse(row, 'rooms', 'not a number', text);
    else if (Number(number.plain) > 1) {
      if (field.several === 'refuse') refuse(row, 'rooms', 'more than one room', text);
      else remark(row, 'rooms', 'several rooms as one', text);
    }
  };
}
