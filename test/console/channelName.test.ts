import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { channelName } from '../../src/console/frame/channelName.ts';
import { de } from '../../src/console/texts/de.ts';
import { en } from '../../src/console/texts/en.ts';
import { channelTypes } from '../../src/contract/channelAccounts.ts';

describe('names of channels', () => {
  it('every type has a name in each language', () => {
    for (const texts of [en, de]) assert.deepEqual(Object.keys(texts.channels).sort(), [...channelTypes].sort());
    assert.equal(channelName({ texts: de }, { channel_type: 'direct' }), 'direkt');
  });

  it("the account's own name comes first; a new type is shown as it is written, and none as nothing", () => {
    assert.equal(channelName({ texts: de }, { channel_type: 'direct', custom_channel: 'Fair' }), 'Fair');
    assert.equal(channelName({ texts: en }, { channel_type: 'travel_club', custom_channel: null }), 'travel club');
    assert.equal(channelName({ texts: en }, { channel_type: null }), '');
  });
});
