import { simProfile } from '../sim/dialects.ts';
import { letAllSpeak } from './support/house.ts';

// What rules do, done through the words of the public service.
letAllSpeak(simProfile('hostex'));
await import('./guestReviews.slow.test.ts');
await import('./nextNights.test.ts');
await import('./nightRounds.slow.test.ts');
await import('./offers.slow.test.ts');
await import('./requests.slow.test.ts');
await import('./severalActions.slow.test.ts');
await import('./staffRecipes.slow.test.ts');
