import type { CaseReport } from '../../src/schema/tests/run-report.ts';
import { buildTool } from '../build.ts';
import { failedCase, keepRuns, passedCase, writeRuns } from '../server/kept-runs.ts';
import { call, say } from '../terminal/session.ts';
import type { Pages, Screen } from './pages.ts';
import { openProgram } from './program.ts';
import { servePage, serveShipped } from './scene.ts';

const WORD = 'x'.repeat(5_000);
const MANY_COLUMNS = `|${' a long column name |'.repeat(30)}\n|${'---|'.repeat(30)}\n|${' value |'.repeat(30)}`;

/** Text that tends to break a layout. */
const WIDE = `# Heading\n\n${WORD}\n\n${MANY_COLUMNS}\n\n\`\`\`sql\nSELECT ${'column_name, '.repeat(60)}\n\`\`\`\n\n- [a link](https://example.com/${'path/'.repeat(60)})\n- \`${'code'.repeat(200)}\`\n\n> quote ${WORD.slice(0, 400)}`;

function side({ page }: Screen) {
  return page.getByRole('complementary', { name: 'Details' });
}

function keptBefore(cases: readonly CaseReport[]) {
  return { agent: 'helper', cases: cases.map(({ name }) => passedCase(name)) };
}

/** Every screen of the page, each in the state that is hardest to draw. */
export const VIEWS: readonly { name: string; open(pages: Pages): Promise<Screen> }[] = [
  {
    name: 'the empty conversation',
    open: async (pages) => pages.open((await serveShipped(['todo', 'retail'])).url),
  },
  {
    name: 'an answer from data with the row of a figure',
    async open(pages) {
      const screen = await pages.open((await serveShipped(['retail'])).url);
      await screen.chat('revenue and stock by category');
      await screen.cards.first().getByRole('button').click();
      await screen.newest.locator('.figure').first().click();
      await screen.page.locator('.marked-cell').waitFor();
      return screen;
    },
  },
  {
    name: 'a wide answer',
    async open(pages) {
      const screen = await pages.open((await servePage({ replies: [say(WIDE)] })).url);
      await screen.chat(`A question with ${WORD}`);
      return screen;
    },
  },
  {
    name: 'a tool that waits for a decision',
    async open(pages) {
      const { serve } = await openProgram([call(['wipe', { disk: WORD }]), say('Done.')]);
      const screen = await pages.open((await serve()).url);
      await screen.ask('wipe it');
      await screen.until('waiting');
      await screen.button('Allow once').waitFor();
      return screen;
    },
  },
  {
    name: 'an answer that failed',
    async open(pages) {
      const refuse = (response: import('node:http').ServerResponse) => void response.writeHead(400).end('{}');
      const screen = await pages.open((await servePage({ replies: [refuse] })).url);
      await screen.ask('hello');
      await screen.until('error');
      return screen;
    },
  },
  {
    name: 'a running answer',
    async open(pages) {
      const { promise } = Promise.withResolvers<void>();
      const tool = buildTool({ name: 'look', run: () => promise.then(() => 'x') });
      const { url } = await servePage({ replies: [call(['look', { text: 'x' }])], tools: [tool] });
      const screen = await pages.open(url);
      await screen.ask('look');
      await screen.newest.locator('.card.running').waitFor();
      return screen;
    },
  },
  {
    name: 'the sign-in',
    async open(pages) {
      const { url } = await servePage({ hasAuth: true });
      return pages.open(url, { allow: [/401/] });
    },
  },
  {
    name: 'a conversation that is not there',
    async open(pages) {
      const { url } = await servePage();
      const screen = await pages.open(`${url}/?c=01ARZ3NDEKTSV4RRFFQ69G5FAV`, { allow: [/404/] });
      await screen.page.getByText('This conversation does not exist').waitFor();
      return screen;
    },
  },
  {
    name: 'attached files, one of them refused',
    async open(pages) {
      const screen = await pages.open((await servePage()).url);
      const chooser = screen.page.waitForEvent('filechooser');
      await screen.button('Attach files').click();
      const buffer = Buffer.from('x');
      const names = [`${'name'.repeat(50)}.txt`, 'program.exe', 'c.txt'];
      await (await chooser).setFiles(names.map((name) => ({ name, mimeType: 'application/octet-stream', buffer })));
      await screen.page.locator('.attachments .chip').nth(2).waitFor();
      return screen;
    },
  },
  {
    name: 'the trace of an answer',
    async open(pages) {
      const screen = await pages.open((await serveShipped(['retail'])).url);
      await screen.chat('revenue and stock by category');
      await screen.newest.getByRole('button', { name: 'Trace' }).click();
      await screen.page.locator('.waterfall').waitFor();
      return screen;
    },
  },
  {
    name: 'the tasks',
    async open(pages) {
      const screen = await pages.open((await serveShipped(['todo'])).url);
      await screen.chat('remind me to buy milk tomorrow');
      await screen.chat(`remind me to buy ${'tea '.repeat(40)}`);
      await screen.button('Tasks').click();
      await side(screen).getByText('buy milk').waitFor();
      return screen;
    },
  },
  {
    name: 'the other ways',
    async open(pages) {
      const screen = await pages.open((await serveShipped(['todo'])).url);
      await screen.chat('remind me to buy milk tomorrow');
      await screen.button('Ways').click();
      await side(screen).getByText('curl').first().waitFor();
      return screen;
    },
  },
  {
    name: 'the runs of test cases',
    async open(pages) {
      const { folder } = keepRuns('helper');
      const screen = await pages.open((await servePage({ app: { runsFolder: () => folder } })).url);
      await screen.button('Tests').click();
      await side(screen).getByText('1 passed, 1 failed').waitFor();
      return screen;
    },
  },
  {
    name: 'a run of test cases with failures',
    async open(pages) {
      const cases = [failedCase(WORD, WORD), failedCase('deletes'), passedCase('adds')];
      const { folder, ids } = writeRuns([keptBefore(cases), { agent: 'helper', cases }]);
      const { url } = await servePage({ app: { runsFolder: () => folder } });
      const screen = await pages.open(`${url}/?side=tests&at=${ids[1]}`);
      await side(screen).getByText('new failure').first().waitFor();
      return screen;
    },
  },
  {
    name: 'the list of keys',
    async open(pages) {
      const screen = await pages.open((await servePage()).url);
      await screen.composer.blur();
      await screen.page.keyboard.press('?');
      await screen.page.getByRole('dialog').waitFor();
      return screen;
    },
  },
];
