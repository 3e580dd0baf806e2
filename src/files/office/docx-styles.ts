import { findRelated } from './office-parts.ts';
import { childrenOf, find, readRoot, type XmlElement } from './xml.ts';
import type { Zip } from './zip.ts';

interface Style {
  name: string;
  basedOn: string | undefined;
  properties: XmlElement | undefined;
}

interface ListLevel {
  isOrdered: boolean;
  start: number;
}

interface ListPlace {
  /** The list's id; items of one list are counted together. */
  list: string;
  level: number;
}

/** A paragraph's properties from the document's styles and lists. */
export interface Styles {
  /** 1 to 6; undefined for text that is not a heading. */
  headingLevel(paragraph: XmlElement): number | undefined;
  listPlace(paragraph: XmlElement): ListPlace | undefined;
  listLevel(place: ListPlace): ListLevel | undefined;
}

const MAX_HEADING = 6;
/** Limit for base styles, which may form a cycle. */
const MAX_BASES = 20;

/** The styles and lists of this document. */
export async function readStyles(zip: Zip, document: string): Promise<Styles> {
  const styles = await readStyleTable(zip, await findRelated(zip, document, 'styles'));
  const lists = await readLists(zip, await findRelated(zip, document, 'numbering'));

  /** The paragraph's own properties, then those of its style and its base styles. */
  function layers(paragraph: XmlElement): { properties: XmlElement | undefined; name: string }[] {
    const own = find(paragraph, 'pPr');
    const found = [{ properties: own, name: '' }];
    let id = find(own, 'pStyle')?.attributes.val;
    for (let step = 0; id !== undefined && step < MAX_BASES; step++) {
      const style = styles.get(id);
      if (style) found.push(style);
      id = style?.basedOn;
    }
    return found;
  }

  return {
    headingLevel(paragraph) {
      for (const { properties, name } of layers(paragraph)) {
        if (/^title$/i.test(name)) return 1;
        const named = /^heading ([1-9])$/i.exec(name)?.[1];
        const outline = find(properties, 'outlineLvl')?.attributes.val;
        const level = named
          ? Number(named)
          : outline !== undefined && Number(outline) < 9
            ? Number(outline) + 1
            : undefined;
        if (level !== undefined) return Math.min(level, MAX_HEADING);
      }
      return undefined;
    },
    listPlace(paragraph) {
      const found = layers(paragraph)
        .map(({ properties }) => find(properties, 'numPr'))
        .filter((numPr) => numPr !== undefined);
      const list = found.map((numPr) => find(numPr, 'numId')?.attributes.val).find((id) => id !== undefined);
      const level = found.map((numPr) => find(numPr, 'ilvl')?.attributes.val).find((value) => value !== undefined);
      return list === undefined || list === '0' ? undefined : { list, level: Math.min(Number(level ?? 0), 8) };
    },
    listLevel: ({ list, level }) => lists.get(list)?.get(level),
  };
}

async function readStyleTable(zip: Zip, part: string): Promise<Map<string, Style>> {
  const root = await readRoot(zip, part, 'styles');
  return new Map(
    childrenOf(root, 'style').map((style) => [
      style.attributes.styleId ?? '',
      {
        name: find(style, 'name')?.attributes.val ?? '',
        basedOn: find(style, 'basedOn')?.attributes.val,
        properties: find(style, 'pPr'),
      },
    ]),
  );
}

/** List id → level → numbering. */
async function readLists(zip: Zip, part: string): Promise<Map<string, Map<number, ListLevel>>> {
  const root = await readRoot(zip, part, 'numbering');
  const kinds = new Map(
    childrenOf(root, 'abstractNum').map((kind) => [
      kind.attributes.abstractNumId ?? '',
      new Map(childrenOf(kind, 'lvl').map((level) => [Number(level.attributes.ilvl ?? 0), toLevel(level)])),
    ]),
  );
  return new Map(
    childrenOf(root, 'num').map((list) => [
      list.attributes.numId ?? '',
      kinds.get(find(list, 'abstractNumId')?.attributes.val ?? '') ?? new Map(),
    ]),
  );
}

function toLevel(level: XmlElement): ListLevel {
  const format = find(level, 'numFmt')?.attributes.val ?? 'decimal';
  return {
    isOrdered: !['bullet', 'none'].includes(format),
    start: Number(find(level, 'start')?.attributes.val ?? 1),
  };
}
