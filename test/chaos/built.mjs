import { main } from '../../dist/src/main.js';

// The built program, from a file as users start it: its conversations load theirs the same way.
await main(process.argv.slice(2));
