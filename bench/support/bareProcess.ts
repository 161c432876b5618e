import { readFileSync } from 'node:fs';
import { type BareSettings, bareHooks, bareServer } from './bare.ts';

/** A floor in a process of its own. Reads its settings from standard input and writes its address. */
const settings = JSON.parse(readFileSync(0, 'utf8')) as BareSettings;
const { url } = await (settings.kind === 'hooks' ? bareHooks() : bareServer(settings.body, settings.days));
process.stdout.write(`${url}\n`);
