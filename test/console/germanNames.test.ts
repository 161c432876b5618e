import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { de } from '../../src/console/texts/de.ts';
import { formats } from '../../src/exports/formats/index.ts';

const RECIPES = fileURLToPath(new URL('../../config/automations/recipes', import.meta.url));

describe('what says in English what it is, has a German text', () => {
  it('every recipe', () => {
    const names = readdirSync(RECIPES).flatMap((file) =>
      parseAllDocuments(readFileSync(join(RECIPES, file), 'utf8')).map((one) => String(one.get('name'))),
    );
    assert.deepEqual(Object.keys(de.rules.recipeTexts).sort(), names.sort());
  });

  it('every format of the books', () => {
    assert.deepEqual(Object.keys(de.money.formats).sort(), formats.map(({ name }) => name).sort());
  });
});
