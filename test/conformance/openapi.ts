import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestService } from '../support/service.ts';
import { fetchPackages, type Ran, run } from './packages.ts';

/** The newest that run on the oldest Node.js that stayd runs on. */
const TOOLS = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.95.0',
  typescript: '5.9.3',
};
/** All rules that the tools recommend, warnings as failures. An exception would stand here, with its reason. */
const SETTINGS = {
  'redocly.yaml': 'extends: [recommended-strict]\n',
  'spectral.yaml': 'extends: ["spectral:oas"]\n',
  'package.json': '{"type": "module"}\n',
};
/** They tell nobody that they ran. */
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
const PROGRAMS = fileURLToPath(new URL('generated/', import.meta.url));
const COMPILED = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
const MODULES = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions'];
/** A field with a default can be left out of a request. */
const LEFT_OUT = ['--default-non-nullable=false'];
/** A name that a generator makes up when it has none, or has one twice. */
const INVENTED = /\bexport (?:type|interface|enum|const) (_\w*|\w*(?:Schema|Inline|Anonymous|Object)\d*|\w+\d+)\b/g;

/**
 * Two linters judge the document of a running service, and two generators make clients of it, which are compiled; one
 * of these clients calls the service. All of them are fetched into a folder of their own.
 * @returns what has failed
 * @throws NoPackages when the registry cannot be reached
 */
export async function openApi(say: (text: string) => void): Promise<string[]> {
  const folder = await fetchPackages({ folder: 'openapi', packages: TOOLS }, say);
  say('\nthe OpenAPI document, judged by linters and turned into clients');
  const service = await startTestService();
  const failed: string[] = [];
  const work = join(folder, 'work');
  const tool = (name: string, args: readonly string[]) =>
    run(process.execPath, [join(folder, 'node_modules', PATHS[name] ?? ''), ...args], work, { env: SILENT });
  const check = (what: string, { code, output }: Ran) => {
    say(code === 0 ? `ok    ${what}` : `FAIL  ${what}\n${output.trimEnd()}`);
    if (code !== 0) failed.push(`OpenAPI: ${what}`);
  };
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    const response = await fetch(`${service.url}/openapi.json`);
    writeFileSync(join(work, 'openapi.json'), await response.text());
    for (const [name, text] of Object.entries(SETTINGS)) writeFileSync(join(work, name), text);
    for (const name of ['types.ts', 'client.ts']) copyFileSync(join(PROGRAMS, name), join(work, name));
    check('Redocly', await tool('redocly', ['lint', 'openapi.json', '--config', 'redocly.yaml']));
    check(
      'Spectral',
      await tool('spectral', ['lint', 'openapi.json', '-r', 'spectral.yaml', '--fail-severity', 'hint']),
    );
    check('openapi-typescript makes types', await tool('types', ['openapi.json', '-o', 'api.ts', ...LEFT_OUT]));
    check('they compile', await tool('tsc', [...COMPILED, ...MODULES, 'types.ts']));
    check('openapi-ts makes a client', await tool('client', ['-i', 'openapi.json', '-o', 'client']));
    check('it compiles', await tool('tsc', [...COMPILED, ...MODULES, 'client.ts']));
    check('no name is invented', inventedIn(join(work, 'client', 'types.gen.ts')));
    const asked = { STAYD_URL: service.url, STAYD_TOKEN: service.token };
    check('it books and reads', await run(process.execPath, ['--import', TSX, 'client.ts'], work, { env: asked }));
  } finally {
    await service.remove();
  }
  return failed;
}

const PATHS: Readonly<Record<string, string>> = {
  redocly: '@redocly/cli/bin/cli.js',
  spectral: '@stoplight/spectral-cli/dist/index.js',
  types: 'openapi-typescript/bin/cli.js',
  client: '@hey-api/openapi-ts/bin/run.js',
  tsc: 'typescript/bin/tsc',
};
const TSX = import.meta.resolve('tsx');

function inventedIn(file: string): Ran {
  const names = [...readFileSync(file, 'utf8').matchAll(INVENTED)].map(([, name = '']) => name);
  return { code: names.length === 0 ? 0 : 1, output: names.join(', ') };
}
