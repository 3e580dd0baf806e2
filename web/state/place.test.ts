import { describe, expect, it } from 'vitest';
import { readHandedToken, readPlace, writePlace } from './place.ts';

describe('the address of the page', () => {
  it('holds agent, conversation, panel and its subject', () => {
    const place = { agent: 'retail-analyst', conversation: '01K9', side: 'row', at: '01M7.60' } as const;
    expect(readPlace(writePlace(place).slice(1))).toEqual(place);
    expect(writePlace({})).toBe('/');
  });

  it('ignores panels that do not exist, subjects without a panel, and hostile text', () => {
    expect(readPlace('?side=admin&at=1&c=<img src=x>&agent=a')).toEqual({ agent: 'a' });
  });

  it('may hand over a token after the hash', () => {
    expect(readHandedToken('#token=abc.def')).toBe('abc.def');
    expect(readHandedToken('')).toBeUndefined();
  });
});
