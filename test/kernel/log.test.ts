import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { openLog, serviceLogger } from '../../src/compose/log/serviceLog.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { isWritten, type Logger, loggerOf, LogLevels, parseLevels, withFields } from '../../src/kernel/log.ts';

/** The lines that a log writes, as objects. */
function written(levels: LogLevels, act: (log: Logger) => void): Record<string, unknown>[] {
  let text = '';
  act(serviceLogger(levels, { write: (line: string) => void (text += line) }));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('levels of the log', () => {
  it('are one for everything, and others for components', () => {
    assert.deepEqual(parseLevels('warn'), { all: 'warn', of: new Map() });
    const { all, of } = parseLevels('info, sync=debug,outbox=silent');
    assert.equal(all, 'info');
    assert.deepEqual([...of], [['sync', 'debug'], ['outbox', 'silent']]); // prettier-ignore
    assert.equal(parseLevels('sync=debug').all, 'info');
  });

  const wrong: [string, RegExp, RegExp][] = [
    ['loud', /must be one of debug, info, warn, error, silent/, /allowed: debug/],
    ['', /must be one of/, /allowed: debug/],
    ['info,', /must be one of/, /allowed: debug/],
    ['info,sync=loud', /must be one of/, /allowed: debug/],
    ['info,synk=debug', /"synk" is no component of the log; did you mean sync\?/, /components: service, api, access/],
    ['info,elsewhere=debug', /"elsewhere" is no component of the log$/, /components: service, api, access/],
    ['info,sync=debug,sync=warn', /names sync twice/, /components/],
    ['info,warn', /two levels for everything, info and warn/, /allowed/],
    ['sync=debug=info', /neither a level nor a component with one/, /allowed/],
  ];
  for (const [text, message, hint] of wrong) {
    it(`"${text}" is refused with what is allowed`, () => {
      assert.throws(
        () => parseLevels(text),
        (error) => error instanceof UsageError && message.test(error.message) && hint.test(error.hint ?? ''),
      );
      if (text === '') return;
      assert.throws(
        () => loadConfig({ STAYD_LOG_LEVEL: text }),
        (error) =>
          error instanceof UsageError &&
          error.message.startsWith('environment variable STAYD_LOG_LEVEL: log_level: ') &&
          message.test(error.message) &&
          /debug, info, warn, error, silent.*service, api, access/.test(error.hint ?? ''),
      );
    });
  }

  it('hold for each component, and for what has none', () => {
    const lines = written(new LogLevels('warn,sync=debug,outbox=silent'), (log) => {
      log.info({}, 'not written');
      log.warn({}, 'everything');
      loggerOf(log, 'sync').debug({ resource: 'stays' }, 'a detail');
      loggerOf(log, 'outbox').error({}, 'not written');
      loggerOf(loggerOf(log, 'sync'), 'core').info({}, 'not written');
    });
    assert.deepEqual(
      lines.map(({ component, msg }) => [component, msg]),
      [
        [undefined, 'everything'],
        ['sync', 'a detail'],
      ],
    );
  });

  it('change while the service runs, also for loggers that are held', () => {
    const levels = new LogLevels('warn');
    const lines = written(levels, (log) => {
      const held = withFields(loggerOf(log, 'sync'), () => ({ request_id: 'R1' }));
      held.debug({}, 'not written');
      assert.equal(isWritten(held, 'debug'), false);
      levels.set('warn,sync=debug');
      assert.equal(isWritten(held, 'debug'), true);
      held.debug({ more: 1 }, 'written');
      assert.throws(() => levels.set('loud'), UsageError);
      held.debug({}, 'still written');
    });
    assert.deepEqual(
      lines.map(({ msg, request_id }) => [msg, request_id]),
      [
        ['written', 'R1'],
        ['still written', 'R1'],
      ],
    );
  });

  it('fields of a line are made only if it is written', () => {
    written(new LogLevels('warn'), (log) => withFields(log, () => assert.fail('for nothing')).info({}, 'not written'));
  });
});

describe('the format of the log', () => {
  const cases = [
    ['auto', true, true],
    ['auto', false, false],
    ['pretty', false, true],
    ['json', true, false],
  ] as const;
  for (const [format, isRead, isPretty] of cases) {
    it(`${format}${isRead ? ' at a terminal' : ''} is ${isPretty ? 'lines for people' : 'JSON'}`, () => {
      const lines: string[] = [];
      const { log } = openLog(
        { log_level: 'silent,sync=warn', log_format: format },
        { isRead, out: (line) => void lines.push(line) },
      );
      if (isPretty) loggerOf(log, 'sync').warn({ connection: 'local' }, 'it is late');
      log.error({}, 'not written');
      assert.deepEqual(
        lines.map((line) => line.replace(/^\S+ /, '')),
        isPretty ? ['warning: sync: it is late (connection local)'] : [],
      );
    });
  }
});
