import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { buildSite } from '../../scripts/docs/site.ts';
import { temporaryFolder } from '../runtime.ts';
import { openPages } from './pages.ts';

const pages = openPages();

it('the site of the documentation finds a section by its words, from a folder, and lists the sections of a page', async () => {
  const folder = temporaryFolder();
  buildSite(join(import.meta.dirname, '../..'), folder);
  const { page } = await pages.open(pathToFileURL(join(folder, 'docs/index.html')).href);
  const search = page.getByRole('searchbox', { name: 'Search the documentation' });
  await search.fill('nonsense-that-no-page-has');
  await page.getByText('No page has all of these words.').waitFor();
  await search.fill('add kind tool');
  await page.locator('.search a').first().click();
  await page.waitForURL(/CONTRIBUTING\.html#add-a-kind-of-tool$/);
  await page.locator('.contents summary').click();
  await page.locator('.contents').getByRole('link', { name: 'Recipes' }).click();
  expect(new URL(page.url()).hash).toBe('#recipes');
});
