import { sealedUrls as ofComparisons } from '../../comparisons/reseal.ts';
import { sealedPlaces as ofEndpoints } from '../../endpoints/reseal.ts';
import { sealedSettings as ofNotices } from '../../notices/reseal.ts';
import type { SealedPlace } from '../../sync/privacy/sealMirror.ts';

/** The sealed columns of what stands on the mirror. */
export const sealedPlaces: readonly SealedPlace[] = [...ofEndpoints, ...ofNotices, ...ofComparisons];
