import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Many tests start real processes; a starved machine gets a second chance, a broken program fails both times.
    retry: process.env.CI ? 1 : 0,
    env: { NO_COLOR: '1' },
  },
});
