import { expect, it } from 'vitest';
import { failedCase, keepRuns, passedCase, writeRuns } from '../server/kept-runs.ts';
import { openPages, type Screen } from './pages.ts';
import { servePage } from './scene.ts';

const pages = openPages();

async function openRuns(folder: string): Promise<{ screen: Screen; url: string }> {
  const { url } = await servePage({ app: { runsFolder: () => folder } });
  return { url, screen: await pages.open(url, { viewport: { width: 1280, height: 900 } }) };
}

const panelOf = ({ page }: Screen) => page.locator('.side');

it('leads from runs to cases, failures and differences, new failures first', async () => {
  const before = { agent: 'helper', cases: [failedCase('lists'), passedCase('adds'), passedCase('deletes')] };
  const after = { agent: 'helper', cases: [failedCase('lists'), passedCase('adds'), failedCase('deletes')] };
  const { screen } = await openRuns(writeRuns([before, after]).folder);
  await screen.button('Tests').click();
  const panel = panelOf(screen);
  await panel.getByRole('button', { name: '1 passed, 2 failed' }).click();
  await expect
    .poll(() => panel.locator('.test-case > summary').allTextContents())
    .toEqual([
      expect.stringMatching(/^failed\s*deletes\s*new failure/),
      expect.stringMatching(/^failed\s*lists/),
      expect.stringMatching(/^passed\s*adds/),
    ]);
  const failure = panel.locator('.test-failure').first();
  expect(await failure.innerText()).toMatch(
    /expected_tools\s+Expected\s+a call of delete_task\s+Happened\s+no call of delete_task/,
  );
  const differences = panel.getByRole('region', { name: 'Differences' });
  expect(await differences.locator('dl').innerText()).toMatch(/^New failures\s+deletes\s+Time\s+\+8 ms/);
});

it('compares with the run that a person chooses', async () => {
  const run = (...names: string[]) => ({ agent: 'helper', cases: names.map(passedCase) });
  const { folder, ids } = writeRuns([run('a'), run('a', 'b'), run('a', 'b', 'c')]);
  const { screen, url } = await openRuns(folder);
  await screen.page.goto(`${url}/?side=tests&at=${ids[2]}`);
  const differences = panelOf(screen).getByRole('region', { name: 'Differences' });
  await differences.getByText('c', { exact: true }).waitFor();
  await differences.getByRole('combobox', { name: 'Compared with' }).selectOption(ids[0] ?? '');
  await differences.getByText('b, c', { exact: true }).waitFor();
});

it('works by keyboard alone on a narrow screen', async () => {
  const { screen } = await openRuns(keepRuns('helper').folder);
  const { page } = screen;
  await page.setViewportSize({ width: 320, height: 700 });
  await screen.button('Tests').focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Details' });
  await sheet.getByText('1 passed, 1 failed').waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.innerText');
  const tabTo = async (text: string) => {
    for (let presses = 0; presses < 20 && !(await focused()).includes(text); presses++)
      await page.keyboard.press('Tab');
    expect(await focused()).toContain(text);
  };
  await tabTo('1 passed, 1 failed');
  await page.keyboard.press('Enter');
  await sheet.getByText('Cases that did not pass').waitFor();
  await tabTo('deletes');
  expect(await sheet.locator('.test-failure').first().isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  expect(await sheet.locator('.test-failure').first().isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.count()).toBe(0);
});

it('shows texts of a run as text', async () => {
  const evil = '<img src=x onerror="window.__x=1"><script>window.__x=1</script>';
  const { folder, ids } = writeRuns([{ agent: 'helper', cases: [failedCase(evil, evil)] }]);
  const { screen, url } = await openRuns(folder);
  await screen.page.goto(`${url}/?side=tests&at=${ids[0]}`);
  await panelOf(screen).locator('.test-failure').getByText(evil).waitFor();
  expect(await screen.page.evaluate('window.__x')).toBeUndefined();
  expect(await panelOf(screen).locator('img, script').count()).toBe(0);
});

it('is offered only where there are runs that the user may see', async () => {
  const { screen } = await openRuns('/nowhere');
  await screen.button('Ways').waitFor();
  expect(await screen.button('Tests').count()).toBe(0);
});
