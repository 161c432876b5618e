import { describeInBrowser } from '../support/browser.ts';
import { playElsewhere } from './acts/elsewhere.ts';

/** The same acts, on the console of a daemon whose data is another deployment's. */
describeInBrowser('the tasks over another deployment', () => playElsewhere('described'));
