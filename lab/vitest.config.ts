import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.test.ts'],
    env: { NO_COLOR: '1' },
    testTimeout: 60_000,
  },
});
