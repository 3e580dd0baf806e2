import type { Token, Tokens } from 'marked';
import type { Colors } from './colors.ts';
import type { Span, Style } from './spans.ts';

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The inline text of a block as styled spans; nested styles are combined. */
export function inlineSpans(tokens: readonly Token[] | undefined, colors: Colors, outer?: Style): Span[] {
  const styled = (inner: Style): Style => (outer ? (text) => outer(inner(text)) : inner);
  return (tokens ?? []).flatMap((token): Span[] => {
    switch (token.type) {
      case 'strong':
        return inlineSpans(token.tokens, colors, styled(colors.bold));
      case 'em':
        return inlineSpans(token.tokens, colors, styled(colors.italic));
      case 'del':
        return inlineSpans(token.tokens, colors, styled(colors.strikethrough));
      case 'codespan':
        return [{ text: token.text, style: styled(colors.cyan) }];
      case 'link':
        // the type guarantees it; marked's union has an open member
        return linkSpans(token as Tokens.Link, colors, outer);
      case 'br':
        return [{ text: '\n' }];
      case 'checkbox':
        return [{ text: token.checked ? '☑ ' : '☐ ', style: outer }];
      case 'text':
      case 'escape':
        if ('tokens' in token && token.tokens) return inlineSpans(token.tokens, colors, outer);
        return [{ text: decode(token.text), style: outer }];
      default:
        return [{ text: token.raw, style: outer }];
    }
  });
}

/** The URL is always shown, so that a link text cannot hide its target. */
function linkSpans(link: Tokens.Link, colors: Colors, outer: Style | undefined): Span[] {
  const text = inlineSpans(link.tokens, colors, outer ?? colors.underline);
  const isSame = link.href === link.text || link.href === `mailto:${link.text}`;
  return isSame ? text : [...text, { text: ` (${link.href})`, style: colors.dim }];
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
