import { describe, expect, it } from 'vitest';
import { serverEnvironment } from './environment.ts';

describe('serverEnvironment', () => {
  it('passes on what programs need to run, and what is configured, and no key', () => {
    const ours = { PATH: '/bin', HOME: '/home/a', LC_ALL: 'C', OPENAI_API_KEY: 'secret', NODE_OPTIONS: '--inspect' };
    expect(serverEnvironment({ TOKEN: 't', HOME: '/elsewhere' }, ours)).toEqual({
      PATH: '/bin',
      HOME: '/elsewhere',
      LC_ALL: 'C',
      TOKEN: 't',
    });
  });

  it('does not pass on an exported shell function', () => {
    expect(serverEnvironment({}, { TERM: '() { :; }; echo', PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });
});
