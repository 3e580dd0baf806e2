import { describe, expect, it } from 'vitest';
import { coreOf } from './frames.ts';

describe('coreOf', () => {
  it.each([
    ['which total measure per entity', 'measure by group'],
    ['by group list measure and measure', 'measure by group'],
    ['how_many count grain', 'count grain'],
    ['edit each group', 'edit by group'],
  ])('leaves out what the guards check: %s', (frame, core) => expect(coreOf(frame)).toBe(core));

  it('keeps the places of the groups in a ranking', () => {
    expect(coreOf('top n group by group by measure')).not.toBe(coreOf('top n group by measure by group'));
  });
});
