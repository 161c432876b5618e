import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestService } from '../support/service.ts';

const LINTERS = ['@redocly/cli@2.37.0', '@stoplight/spectral-cli@6.16.3'];
/** The compiler of the generated types: the newest that the generator runs with. */
const GENERATORS = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const COMPILER = { strict: true, noEmit: true, types: [], target: 'es2022', module: 'nodenext' };
const DOCUMENT = 'openapi.json';
/** Names that generators invent for schemas that have none. */
const INVENTED = /^(?:_|schema\d*$|inline)|_\d+$/i;

/**
 * The document of a running service, held against programs that others wrote: two linters find no error and no warning,
 * and a generator makes types from it that compile, under names that people have given. The programs are fetched into a
 * folder that goes afterwards.
 * @returns what has failed
 */
export async function openApi(say: (text: string) => void): Promise<string[]> {
  say(`\nthe OpenAPI document (${[...LINTERS, ...GENERATORS].join(', ')})`);
  const folder = mkdtempSync(join(tmpdir(), 'stayd-openapi-'));
  const service = await startTestService();
  const failed: string[] = [];
  const check = (what: string, isRight: boolean, seen: string) => {
    say(`${isRight ? 'ok  ' : 'FAIL'}  ${what}${isRight ? '' : `\n${seen}`}`);
    if (!isRight) failed.push(`OpenAPI: ${what}`);
  };
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    return { isDone: status === 0, text: `${stdout}${stderr}`.trim() };
  };
  try {
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
    const fetched = run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...LINTERS, ...GENERATORS);
    if (!fetched.isDone) return [`OpenAPI: the programs could not be fetched: ${fetched.text}`];
    writeFileSync(join(folder, DOCUMENT), await (await fetch(`${service.url}/openapi.json`)).text());
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, files: ['types.ts'] }));
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');

    const redocly = run('npx', '--no-install', 'redocly', 'lint', '--max-problems', '1000', DOCUMENT);
    check('Redocly finds no error', redocly.isDone, redocly.text);
    check('Redocly finds no warning', !/\[\d+\] |warning/i.test(redocly.text), redocly.text);
    const spectral = run('npx', '--no-install', 'spectral', 'lint', '--fail-severity', 'warn', DOCUMENT);
    check('Spectral finds no error and no warning', spectral.isDone, spectral.text);

    const generated = run('npx', '--no-install', 'openapi-typescript', DOCUMENT, '-o', 'types.ts');
    check('openapi-typescript makes types', generated.isDone, generated.text);
    const compiled = run('npx', '--no-install', 'tsc', '--project', '.');
    check('the types compile', compiled.isDone, compiled.text);
    const { components } = JSON.parse(readFileSync(join(folder, DOCUMENT), 'utf8')) as {
      components: { schemas: object };
    };
    const names = Object.keys(components.schemas);
    const invented = names.filter((name) => INVENTED.test(name));
    check(`the names of ${names.length} schemas were given by people`, invented.length === 0, invented.join(', '));
    const listed = readFileSync(join(folder, 'types.ts'), 'utf8');
    const missing = names.filter((name) => !listed.includes(`        ${name}:`));
    check('the types have the same names', missing.length === 0, missing.join(', '));
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return failed;
}
