export interface SafeLink {
  href: string;
  /** Shown beside the text, so that a link cannot pretend to lead elsewhere. */
  host: string;
}

const SCHEMES = ['http:', 'https:', 'mailto:'];

/** An address that may be opened, or undefined. Relative addresses would lead into the page itself. */
export function readLink(href: string): SafeLink | undefined {
  const url = URL.parse(href);
  if (!url || !SCHEMES.includes(url.protocol)) return undefined;
  if (url.username || url.password) return undefined;
  return { href: url.href, host: url.protocol === 'mailto:' ? url.pathname : url.host };
}
