import { readFileSync } from 'node:fs';
import { bareServer } from './bare.ts';

/** The floor of a read in a process of its own. Reads `{body, days}` from standard input and writes its address. */
const { body, days } = JSON.parse(readFileSync(0, 'utf8')) as { body: string; days?: string };
const { url } = await bareServer(body, days);
process.stdout.write(`${url}\n`);
