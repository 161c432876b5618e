/** The functions of imports that commands use without the management API. */
export { guessMapping } from '../../imports/guess/guessMapping.ts';
export type { ImportProgress, ImportReport } from '../../imports/importReservations.ts';
export { readMapping } from '../../imports/readMapping.ts';
