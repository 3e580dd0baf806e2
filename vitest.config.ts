import './bin/check-node.js';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createMinutesReporter } from './test/minutes-reporter.ts';

/** Files that judge speed or memory. They run alone, one after the other. */
const ALONE = [
  'test/reply-floods.test.ts',
  'test/server/slow-readers.test.ts',
  'src/files/**/{file-reader,ocr}.test.ts',
];

/** Files that start programs or servers, or that need PostgreSQL. */
const WHOLE = [
  'test/{counts,docs,erase-user,examples,first-run,hostile-folder,kill,local-models,model-state-stays,one-stream,package,processes,provider-words,readme,restore,served-turn,shipped-data,tutorial}.test.ts',
  'test/mcp-{login,tasks}.test.ts',
  'test/knowledge/{kill-builds,killed-turn}.test.ts',
  'test/team/{kill,several-servers}.test.ts',
  'test/{tool,model}-faults.test.ts',
  'test/domains/{csv,space-import,space-init,space-mcp}.test.ts',
  'test/evals/{add,attack,command,mutants,providers,shipped,watch}.test.ts',
  'test/{terminal,files,tools}/**/*.test.ts',
  'test/server/{check,continue,files,fuzz,guard,hostile,lost-text,openapi,other-process,reconnect,serve,streams}.test.ts',
  'src/mcp/**/{child-server,client,crash,faults,http-faults,serve}.test.ts',
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

/**
 * Slow files, the slowest first, measured in a fresh clone: vitest begins with the largest ones, which are often quick. Every
 * other one waits for leases, time limits or a time of the day, so that few at a time need the processors.
 */
const SLOW = [
  ...['package', 'database-away', 'tutorial', 'torture', 'hostile', 'reminders', 'examples', 'model-faults', 'shipped'],
  ...['processes', 'attack', 'two-servers', 'command', 'slow-server', 'clients', 'kill', 'first-run', 'postgres-store'],
  ...['space-init', 'postgres-task-store', 'serve', 'readme', 'sql-runner', 'decisions'],
  ...['form', 'tabs', 'restart', 'scale', 'trust', 'security', 'flow', 'refresh', 'reading', 'costly'],
].map((name) => `/${name}.test.ts`);

/** Slow files begin first in their project: one that began last would run alone. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = Object.values(Object.groupBy(await super.sort(files), ({ project }) => project.name));
    const rank = ({ moduleId }: TestSpecification) => {
      const place = SLOW.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? SLOW.length : place;
    };
    return sorted.flatMap((own = []) => own.sort((a, b) => rank(a) - rank(b)));
  }
}

/** Browsers need the processors all the time; one more page is awaited. */
const PAGES = availableParallelism() + 1;
/** Programs, leases and time limits are often awaited: of five files at once on two processors, a quarter of the time was idle. */
const PROGRAMS = 3 * availableParallelism();

const BUILDS = ['test/page/build-page.ts', 'test/build-command.ts'];

export default defineConfig({
  test: {
    // A caller's word for its script ends up in hints; `npx vitest run` and `npm test` must give the same ones.
    // The tests' own database must not become the database of the agents under test.
    // An Ollama that runs on the author's machine must not appear on the screens under test.
    // Programs under test share a cache of compiled code, as `bin/holodeck.js` has it.
    env: {
      NO_COLOR: '1',
      npm_lifecycle_event: '',
      DATABASE_URL: '',
      OLLAMA_HOST: '127.0.0.1:9',
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    },
    // These limits end a test that hangs. They are no promise of speed: a busy machine is several times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
    sequence: { sequencer: SlowFirst },
    reporters: ['default', createMinutesReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{src,bench}/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...WHOLE, ...ALONE, ...PAGE],
          // Files of a worker share its modules, whose loading would take longer than most tests.
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: WHOLE,
          globalSetup: [...BUILDS, 'test/postgres/global-setup.ts'],
          maxWorkers: PROGRAMS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: PAGE,
          // One browser for all files of a worker; each test has a context of its own.
          isolate: false,
          globalSetup: [...BUILDS, 'test/page/global-setup.ts'],
          maxWorkers: PAGES,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          globalSetup: BUILDS,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
