import { describe, expect, it } from 'vitest';
import { ALICE, BOB, buildAgent } from '../../../test/build.ts';
import { createShare, userShares } from './admission.ts';

const jwt = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };
const sharesOf = (server: object) => userShares(buildAgent({ server }).server);

describe('createShare', () => {
  it('gives each user as many places, and a place again when one is released', () => {
    const share = createShare({ perUser: 2, what: 'turns are running' });
    const first = share.take(ALICE);
    share.take(ALICE);
    expect(() => share.take(ALICE)).toThrow(expect.objectContaining({ code: 'over_capacity', status: 429 }));
    share.take(BOB);
    first.release();
    first.release();
    share.take(ALICE);
    expect(() => share.take(ALICE)).toThrow(/2 of your turns are running/);
  });

  it('counts what is held without asking', () => {
    const share = createShare({ perUser: 1, what: 'turns are running' });
    const place = share.hold(ALICE);
    expect(() => share.take(ALICE)).toThrow();
    place.release();
    share.take(ALICE);
  });
});

describe('userShares', () => {
  it('is a quarter of all turns with authentication, at least 4, and nothing without', () => {
    expect(sharesOf({ auth: { jwt } })).toEqual({ turns: 50, streams: 50 });
    expect(sharesOf({ auth: { jwt }, max_active_turns: 10 })).toEqual({ turns: 4, streams: 4 });
    expect(sharesOf({})).toEqual({ turns: undefined, streams: undefined });
  });

  it('is what the file names, with or without authentication', () => {
    const named = { max_active_turns_per_user: 2, max_streams_per_user: 3 };
    expect(sharesOf({ auth: { jwt }, ...named })).toEqual({ turns: 2, streams: 3 });
    expect(sharesOf(named)).toEqual({ turns: 2, streams: 3 });
  });
});
