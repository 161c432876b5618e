import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placesOf, plantedBugs } from './planted.ts';

describe('mistakes that are planted in the program as it is loaded', () => {
  for (const bug of plantedBugs) {
    it(`each edit still finds its place: ${bug.name}`, () => {
      assert.deepEqual(
        placesOf(bug),
        bug.edits.map(() => 1),
      );
    });
  }
});
