/** What the command line needs of an import beside the management door. */
export { guessMapping } from '../../imports/guess/guessMapping.ts';
export type { ImportProgress, ImportReport } from '../../imports/importBookings.ts';
export { readMapping } from '../../imports/readMapping.ts';
