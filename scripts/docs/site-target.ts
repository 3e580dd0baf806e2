import { posix } from 'node:path';

/** A page of the site: its source, its address, and its title. */
export interface SitePage {
  source: string;
  address: string;
  title: string;
  markdown: string;
}

/** The file of the repository to which a link of a page leads. */
export function targetOf(source: string, href: string): { path: string; anchor: string } {
  const [path = '', anchor = ''] = href.split('#');
  const from = source === 'docs/decisions' ? 'docs/decisions' : posix.dirname(source);
  const target = path === '' ? source : posix.normalize(posix.join(from, path)).replace(/\/$/, '');
  return { path: target, anchor };
}
