import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { STRINGS } from '../strings.ts';
import { type Mark, splitFigures } from './figure-spans.ts';

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Markdown allows HTML's names for characters; the result is text and is never read as HTML. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The data that a text needs to show its figures as buttons. */
export interface Figures {
  places: ReadonlyMap<Token, number>;
  checks: readonly Mark[];
  draw(check: Mark, key: string): ReactNode;
}

interface InlineProps {
  tokens: readonly Token[];
  figures?: Figures | undefined;
}

/** Inline Markdown as elements. HTML of the source is shown as text; nothing is ever parsed as HTML. */
export function Inline({ tokens, figures }: InlineProps) {
  // Tokens have no identity of their own and never change places within a text.
  return tokens.map((token, index) => <Fragment key={`${index}.${token.type}`}>{drawInline(token, figures)}</Fragment>);
}

function drawInline(token: Token, figures: Figures | undefined): ReactNode {
  const inner = 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} figures={figures} /> : undefined;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'codespan':
      return <code>{drawText(token, figures)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={(token as Tokens.Link).href}>{inner}</Link>;
    case 'image':
      return <span className="muted">{STRINGS.image((token as Tokens.Image).text)}</span>;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'html':
      return token.raw;
    default:
      return inner ?? drawText(token, figures);
  }
}

function drawText(token: Token, figures: Figures | undefined): ReactNode {
  const text = 'text' in token ? String(token.text) : token.raw;
  const shown = token.type === 'codespan' ? text : token.raw;
  const place = figures?.places.get(token);
  if (!figures || place === undefined || figures.checks.length === 0) return decodeEntities(shown);
  return splitFigures(shown, place, figures.checks).map((span) =>
    typeof span === 'string' ? decodeEntities(span) : figures.draw(span.check, `${span.check.start}`),
  );
}

/** A link of the model. It opens only by a person's click, in another tab, and says where it leads. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  const link = readLink(href);
  if (!link) return <span>{children}</span>;
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
      {children} <span className="link-host">({link.host})</span>
    </a>
  );
}

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
