/** What the command line needs of an import beside the management door. */
export { guessMapping } from '../core/imports/guess/guessMapping.ts';
export type { ImportProgress, ImportReport } from '../core/imports/importBookings.ts';
export { readMapping } from '../core/imports/readMapping.ts';
