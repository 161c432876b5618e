import { inspect } from 'node:util';

/**
 * Reporter of node:test for one file: tells the process that started the file what happens in it, while it
 * happens. The closing lines come last; a file that ends without them was cut off.
 */
export default async function* tell(events) {
  // A listener keeps the channel open, and with it the process; this one must not.
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
  for await (const { type, data } of events) {
    const { name, nesting, skip, todo, message, details } = data;
    const error = details?.error;
    process.send({
      type,
      name,
      nesting,
      message,
      isLeftOut: skip !== undefined || todo !== undefined,
      isSumOfOthers: error?.failureType === 'subtestsFailed',
      error: error && inspect(error.cause ?? error),
    });
  }
  yield '';
}
