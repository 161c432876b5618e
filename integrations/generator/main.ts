import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { integrationFiles } from './files.ts';

/** `npm run integrations`: writes what is made of the contract, and names each file. */
for (const [file, text] of integrationFiles()) {
  const path = join(packageRoot(), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`${file}\n`);
}
