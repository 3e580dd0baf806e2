import type { ReactNode } from 'react';
import { readLink } from './link-rules.ts';

/** A link of the model. It opens only by a person's click, in another tab, and says where it leads. */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  const link = readLink(href);
  if (!link) return <span>{children}</span>;
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
      {children} <span className="link-host">({link.host})</span>
    </a>
  );
}
