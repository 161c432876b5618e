import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { n8nFiles } from './n8n/files.ts';
import { readModel } from './model.ts';
import { postmanCollection } from './postman/collection.ts';
import { pythonFiles } from './python/files.ts';
import { typescriptFiles } from './typescript/files.ts';

/** Everything in `integrations/` that is made of the contract, by its path from the root of the checkout. */
export function integrationFiles(): ReadonlyMap<string, string> {
  const version = versionIn('package.json');
  const model = readModel(version);
  return new Map([
    ...under('integrations/sdk/typescript/src/generated', typescriptFiles(model)),
    ...under('integrations/sdk/python/src/stayd_sdk/generated', pythonFiles(model)),
    ...under('integrations/n8n/nodes', n8nFiles(model)),
    ['integrations/postman/stayd.postman_collection.json', json(postmanCollection(model))],
    ...VERSIONED.map((file): [string, string] => [file, withVersion(file, version)]),
  ]);
}

/** Descriptions of packages that carry our version. */
const VERSIONED = [
  'integrations/sdk/typescript/package.json',
  'integrations/sdk/python/pyproject.toml',
  'integrations/n8n/package.json',
];
const VERSION = /^(\s*"version": |version = )"[^"]*"/m;

function under(folder: string, files: Record<string, string>): [string, string][] {
  return Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);
}

function versionIn(file: string): string {
  return (JSON.parse(textOf(file)) as { version: string }).version;
}

function withVersion(file: string, version: string): string {
  return textOf(file).replace(VERSION, (_, key: string) => `${key}"${version}"`);
}

function textOf(file: string): string {
  return readFileSync(join(packageRoot(), file), 'utf8');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
