import { describeInBrowser } from '../support/browser.ts';
import { playElsewhere } from './acts/elsewhere.ts';

/** The same acts over a deployment that speaks as the public service: other words, fewer fields, shorter answers. */
describeInBrowser('the tasks over a deployment that speaks another dialect', () => playElsewhere('hostex'));
