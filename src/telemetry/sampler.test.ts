import { describe, expect, it } from 'vitest';
import { readSampler } from './sampler.ts';

const LOW = `${'f'.repeat(19)}${'0'.repeat(13)}`;
const HIGH = `${'0'.repeat(19)}${'f'.repeat(13)}`;

describe('readSampler', () => {
  it.each<[string | undefined, string | undefined, boolean[]]>([
    // Expected for a low id, a high id, a sampled parent and an unsampled parent.
    [undefined, undefined, [true, true, true, false]],
    ['always_on', undefined, [true, true, true, true]],
    ['always_off', undefined, [false, false, false, false]],
    ['traceidratio', '0.5', [true, false, false, false]],
    ['traceidratio', '0', [false, false, false, false]],
    ['traceidratio', '7', [true, true, true, true]],
    ['parentbased_always_on', undefined, [true, true, true, false]],
    ['parentbased_always_off', undefined, [false, false, true, false]],
    ['parentbased_traceidratio', '0.5', [true, false, true, false]],
    ['jaeger_remote', undefined, [true, true, true, false]],
  ])('%s with %s', (name, argument, decisions) => {
    const sample = readSampler(name, argument);
    expect([sample(LOW, undefined), sample(HIGH, undefined), sample(HIGH, true), sample(HIGH, false)]).toEqual(
      decisions,
    );
  });

  it('takes about the share that it is given', () => {
    const sample = readSampler('traceidratio', '0.25');
    const ids = Array.from({ length: 4_000 }, (_, index) => {
      const random = ((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
      return `${'0'.repeat(19)}${random}00000`;
    });
    const share = ids.filter((id) => sample(id, undefined)).length / ids.length;
    expect(Math.abs(share - 0.25)).toBeLessThan(0.02);
  });
});
