import { childrenOf, find, findAll, textOf, type XmlElement } from './xml.ts';

/** Link targets of a part, by relationship id. */
export type Links = ReadonlyMap<string, { target: string }>;

interface Piece {
  text: string;
  mark: string;
}

/** The text of a paragraph with emphasis and links, without deleted text, comments and field codes. */
export function runsToMarkdown(paragraph: XmlElement, links: Links): string {
  const pieces: Piece[] = [];
  for (const piece of piecesOf(paragraph, links)) {
    const last = pieces.at(-1);
    if (last && last.mark === piece.mark) last.text += piece.text;
    else pieces.push({ ...piece });
  }
  return pieces.map(withMark).join('');
}

/** Marks are placed at the words, because spaces inside them would undo the emphasis. */
function withMark({ text, mark }: Piece): string {
  const inner = text.trim();
  if (mark === '' || inner === '') return text;
  const start = text.slice(0, text.indexOf(inner));
  return `${start}${mark}${inner}${[...mark].reverse().join('')}${text.slice(start.length + inner.length)}`;
}

function piecesOf(element: XmlElement, links: Links): Piece[] {
  return childrenOf(element).flatMap((child): Piece[] => {
    switch (child.name) {
      case 'r':
        return runPieces(child);
      case 'hyperlink':
        return [linkPiece(child, links)];
      case 'del':
      case 'moveFrom':
      case 'pPr':
        return [];
      case 't':
        return [{ text: textOf(child), mark: '' }];
      default:
        return piecesOf(child, links);
    }
  });
}

function linkPiece(link: XmlElement, links: Links): Piece {
  const text = runsToMarkdown({ ...link, name: 'p' }, links);
  const target = links.get(link.attributes['r:id'] ?? '')?.target;
  return {
    text: target && text.trim() !== '' && /^(https?|mailto):/i.test(target) ? `[${text}](${target})` : text,
    mark: '',
  };
}

function runPieces(run: XmlElement): Piece[] {
  const properties = find(run, 'rPr');
  const mark = (isOn(properties, 'b') ? '**' : '') + (isOn(properties, 'i') ? '*' : '');
  if (isOn(properties, 'vanish')) return [];
  return childrenOf(run).map((child) => ({ text: runText(child), mark }));
}

function isOn(properties: XmlElement | undefined, name: string): boolean {
  const property = find(properties, name);
  return property !== undefined && !['0', 'false', 'none', 'off'].includes(property.attributes.val ?? '1');
}

function runText(child: XmlElement): string {
  switch (child.name) {
    case 't':
      return textOf(child);
    case 'tab':
      return '\t';
    case 'br':
    case 'cr':
      return '\n';
    case 'noBreakHyphen':
      return '-';
    case 'sym':
      return symbol(child.attributes.char);
    case 'footnoteReference':
    case 'endnoteReference':
      return `[^${child.name === 'endnoteReference' ? 'e' : ''}${child.attributes.id}]`;
    case 'drawing':
    case 'pict':
      return describePicture(child);
    default:
      return '';
  }
}

/** Symbol fonts use Unicode's private area, which is unreadable as text. */
function symbol(code: string | undefined): string {
  const value = Number.parseInt(code ?? '', 16);
  return Number.isNaN(value) || (value >= 0xe000 && value <= 0xf8ff) ? '•' : String.fromCodePoint(value);
}

function describePicture(drawing: XmlElement): string {
  const [properties] = findAll(drawing, 'docPr');
  const words = properties?.attributes.descr?.trim();
  return words ? `[picture: ${words}]` : '';
}
