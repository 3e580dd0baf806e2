import './bin/check-node.js';
import { defineConfig } from 'vitest/config';
import { createMinutesReporter } from './test/minutes-reporter.ts';

/** Files that start programs, fill a terminal, or flood and kill processes. They run alone, one after the other. */
const WHOLE = [
  'test/{kill,package,full-disk,hostile-folder,cli-serve,docs,readme,tutorial,examples,examples-copilotkit,mcp-{agent,login,tasks},one-stream,processes,reply-floods,restore,shipped-data}.test.ts',
  'test/{tool,model}-faults.test.ts',
  'test/evals/{attack,command,mutants,providers,shipped,watch}.test.ts',
  'test/{terminal,files,tools}/**/*.test.ts',
  'test/server/{check,continue,files,fuzz,guard,hostile,lost-text,openapi,openapi-answers,other-process,reconnect,reload,serve,streams}.test.ts',
  'src/mcp/**/{child-server,client,crash,faults,http-faults,serve}.test.ts',
  'src/files/**/{file-reader,ocr}.test.ts',
  'src/space/sql/sql-runner.test.ts',
  'src/store/sqlite/processes.test.ts',
  'src/**/postgres*/**/*.test.ts',
  'src/tasks/postgres-task-store.test.ts',
  'test/clients/**/*.test.ts',
  'test/postgres/**/*.test.ts',
  'test/several-servers/**/*.test.ts',
  'src/tasks/many-users.test.ts',
];

/** Files that drive a browser. */
const PAGE = ['test/page/**/*.test.ts'];

export default defineConfig({
  test: {
    // A caller's word for its script ends up in hints; `npx vitest run` and `npm test` must give the same ones.
    // The tests' own database must not become the database of the agents under test.
    env: { NO_COLOR: '1', npm_lifecycle_event: '', DATABASE_URL: '' },
    // These limits end a test that hangs. They are no promise of speed: a busy machine is several times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
    reporters: ['default', createMinutesReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...WHOLE, ...PAGE],
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: WHOLE,
          globalSetup: ['test/page/build-page.ts', 'test/postgres/global-setup.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: PAGE,
          globalSetup: ['test/page/build-page.ts'],
          fileParallelism: false,
          // A browser may miss its moment on a busy machine. Faults of the page itself fail both times.
          retry: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
