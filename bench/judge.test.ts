import { describe, expect, it } from 'vitest';
import type { Row } from './compare.ts';
import { findMissed, findWorse } from './judge.ts';

const ALL = [
  { name: 'flushing floor', kind: 'floor-kept' as const },
  { name: 'holodeck rest', kind: 'ours' as const },
  { name: 'before rest', kind: 'before' as const },
  { name: 'peer', kind: 'peer-kept' as const },
];
const row = (values: Record<string, number>): Row => ({
  what: 'one turn',
  unit: 'ms',
  values: new Map(Object.entries(values)),
});

describe('findWorse', () => {
  it('names a row that costs over 5 % more than the earlier build, and no other', () => {
    expect([...findWorse([row({ 'holodeck rest': 1.06, 'before rest': 1 })], ALL).keys()]).toEqual([
      'one turn, holodeck rest',
    ]);
    expect(findWorse([row({ 'holodeck rest': 1.04, 'before rest': 1 }), row({ 'holodeck rest': 9 })], ALL).size).toBe(
      0,
    );
  });
});

describe('findMissed', () => {
  it('names a row over 1.6 of the flushing floor, and a row that another runtime leads', () => {
    const rows = [
      row({ 'flushing floor': 1, 'holodeck rest': 1.7, peer: 3 }),
      row({ 'flushing floor': 1, 'holodeck rest': 1.5, peer: 1.45 }),
      row({ 'flushing floor': 1, 'holodeck rest': 1.5, peer: 1.6 }),
    ];
    expect(findMissed(rows, ALL)).toEqual([
      'one turn, holodeck rest: × 1.70 (≤ 1.6), ahead',
      'one turn, holodeck rest: × 1.50 (≤ 1.6), level',
    ]);
  });
});
