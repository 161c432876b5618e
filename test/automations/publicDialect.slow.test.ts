import { simProfile } from '../sim/dialects.ts';
import { letAllSpeak } from './support/house.ts';

// What rules do, done through the words of the public service.
letAllSpeak(simProfile('hostex'));
await import('./guestReviews.test.ts');
await import('./nextNights.test.ts');
await import('./nightRounds.test.ts');
await import('./offers.test.ts');
await import('./requests.test.ts');
await import('./severalActions.test.ts');
await import('./staffRecipes.test.ts');
