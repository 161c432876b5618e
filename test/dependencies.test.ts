import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** Of those that run at a user's; tools of development are named with a reason, and not counted. */
const MOST_DIRECT = 50;

interface Package {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

interface Locked {
  resolved?: string;
  integrity?: string;
  hasInstallScript?: true;
}

describe('S37: dependencies', () => {
  const { dependencies, devDependencies, allowScripts } = JSON.parse(textOf('package.json')) as Package;
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
  const direct = { ...dependencies, ...devDependencies };
  const locked = Object.entries(packages).filter(([path]) => path !== '');

  it(`at most ${MOST_DIRECT} direct ones run in the service, all are pinned, and each has its reason in docs/security.md`, () => {
    const names = Object.keys(direct);
    const running = Object.keys(dependencies).length;
    assert.ok(running <= MOST_DIRECT, `${running}`);
    const page = textOf('docs/security.md');
    const reasoned = [...page.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name]) => name);
    assert.deepEqual(new Set(reasoned), new Set(names));
    for (const [name, version] of Object.entries(direct)) assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  });

  it('those with install scripts are the allowed ones, and any other stops the installation', () => {
    const paths = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    const scripted = new Set(
      paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
    );
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    assert.deepEqual([...scripted].toSorted(), allowed.toSorted());
    assert.match(textOf('.npmrc'), /^strict-allow-scripts=true$/m);
  });

  it('all come from a registry, and their contents are known by hash', () => {
    for (const [path, { resolved, integrity = '' }] of locked) {
      assert.equal(resolved, undefined, `${path}: from the registry that npm is set to, and from nowhere else`);
      assert.match(integrity, /^sha512-/, path);
    }
  });
});
