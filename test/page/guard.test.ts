import { expect, it } from 'vitest';
import { openPages } from './pages.ts';
import { servePage } from './scene.ts';

const pages = openPages();

it('notices scripts in HTML, text that becomes HTML, requests to other hosts and errors (case 36)', async () => {
  const { url } = await servePage();
  const { page } = await pages.open(url);
  expect(pages.takeProblems()).toEqual([]);
  await page.evaluate(`
    document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.2:9/x.png' }));
    try { document.body.innerHTML = '<b>x</b>'; } catch {}
    document.body.setAttribute('style', 'color: red');
    setTimeout(() => { throw new Error('mine'); });
  `);
  const found: string[] = [];
  await expect
    .poll(() => {
      found.push(...pages.takeProblems());
      return ['img-src', 'require-trusted-types-for', 'style-src-attr', 'thrown: Error: mine'].filter(
        (part) => !found.some((problem) => problem.includes(part)),
      );
    })
    .toEqual([]);
  await page.evaluate(`fetch('http://127.0.0.2:9/').catch(() => {})`);
  await expect.poll(() => found.push(...pages.takeProblems()) && found.join()).toContain('connect-src');
});
