import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { STRINGS } from '../strings.ts';
import { MarkdownBlock } from './block.tsx';
import type { Slice } from './cut-slices.ts';
import { checksWithin, type Mark, placeTexts } from './figure-spans.ts';
import { type Block, type Blocks, readBlocks } from './read-blocks.ts';
import { useSlices, useSteps } from './use-slices.ts';

interface MarkdownProps {
  text: string;
  checks: readonly Mark[];
  drawFigure(check: Mark, key: string): ReactNode;
}

/** About 90,000 characters of prose. */
const FIRST_SLICES = 12;
const NO_CHECKS: readonly Mark[] = [];

/**
 * An answer that may still grow. Only its last pieces are read and drawn again, a slice per frame, and the end of a very
 * long one on request: no answer of a model blocks the page.
 */
export function Markdown({ text, checks, drawFigure }: MarkdownProps) {
  const slices = useSlices(text);
  const [isWhole, setWhole] = useState(false);
  const total = isWhole ? slices.length : Math.min(slices.length, FIRST_SLICES);
  const drawn = useSteps(total);
  const draw = (slice: Slice) => (
    <MarkdownSlice
      key={slice.start}
      {...slice}
      checks={within(checks, slice.start, slice.start + slice.text.length)}
      drawFigure={drawFigure}
    />
  );
  return (
    <div className="markdown" aria-busy={drawn < total ? true : undefined}>
      {slices.slice(0, drawn).map(draw)}
      {total < slices.length && (
        <button type="button" className="quiet show-all" onClick={() => setWhole(true)}>
          {STRINGS.turn.showAll(text.length)}
        </button>
      )}
    </div>
  );
}

const MarkdownSlice = memo(
  ({ start, prefix, text, checks, drawFigure }: Slice & Omit<MarkdownProps, 'text'>) => {
    const before = useRef<Blocks>(undefined);
    const { blocks } = useMemo(() => {
      before.current = readBlocks(prefix + text, before.current);
      return before.current;
    }, [prefix, text]);
    const offset = start - prefix.length;
    return (
      <div className="slice">
        {blocks.map(({ token, start: place }) => {
          const block = { token, start: offset + place };
          return (
            <PlacedBlock
              key={block.start}
              block={block}
              raw={token.raw}
              checks={within(checks, block.start, block.start + token.raw.length)}
              drawFigure={drawFigure}
            />
          );
        })}
      </div>
    );
  },
  (one, other) =>
    one.text === other.text &&
    one.prefix === other.prefix &&
    one.drawFigure === other.drawFigure &&
    isSame(one.checks, other.checks),
);

interface PlacedBlockProps extends Omit<MarkdownProps, 'text'> {
  block: Block;
  raw: string;
}

const PlacedBlock = memo(
  ({ block, checks, drawFigure }: PlacedBlockProps) => {
    const figures = checks.length > 0 ? { places: placeTexts(block), checks, draw: drawFigure } : undefined;
    return <MarkdownBlock token={block.token} figures={figures} />;
  },
  (one, other) =>
    one.raw === other.raw &&
    one.block.start === other.block.start &&
    one.drawFigure === other.drawFigure &&
    isSame(one.checks, other.checks),
);

function within(checks: readonly Mark[], start: number, end: number): readonly Mark[] {
  const inside = checks.length > 0 ? checksWithin(checks, start, end) : NO_CHECKS;
  return inside.length > 0 ? inside : NO_CHECKS;
}

function isSame(one: readonly Mark[], other: readonly Mark[]): boolean {
  return one.length === other.length && one.every((check, index) => check === other[index]);
}
