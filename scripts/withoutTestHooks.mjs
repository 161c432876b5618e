// Preloaded into each process that runs tests (`node --import`).
//
// On Node 20 the runner of node:test follows every promise of the process by an async hook, to find the test that an
// uncaught error belongs to and the suite that a test is declared in. That is a fifth of the time of our tests. Only
// the second is needed, and it happens while a suite's body runs, which it does at once: the hook is on for so long.
// An uncaught error then fails the file in place of one test. Newer versions of Node do without the hook.
import { createHook } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const prototype = Object.getPrototypeOf(createHook({}));
const { enable } = prototype;
let hook;
let depth = 0;

prototype.enable = function enableUnlessOfRunner() {
  const [, , caller = ''] = new Error('stack').stack.split('\n');
  if (hook !== undefined || !caller.includes('node:internal/test_runner')) return enable.call(this);
  hook = this;
  return depth > 0 ? enable.call(this) : this;
};

const runner = createRequire(import.meta.url)('node:test');

function declaring(declare) {
  const wrapped = (...args) => {
    depth += 1;
    if (hook !== undefined) enable.call(hook);
    try {
      return declare(...args);
    } finally {
      depth -= 1;
      if (depth === 0) hook?.disable();
    }
  };
  return Object.assign(wrapped, declare);
}

for (const name of ['describe', 'suite']) {
  if (typeof runner[name] === 'function') runner[name] = declaring(runner[name]);
}
syncBuiltinESMExports();
