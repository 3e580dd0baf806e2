import { memo, type ReactNode, useMemo, useRef } from 'react';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import { MarkdownBlock } from './block.tsx';
import { checksWithin, placeTexts } from './figure-spans.ts';
import { type Block, type Blocks, readBlocks } from './read-blocks.ts';

interface MarkdownProps {
  text: string;
  checks: readonly NumberCheck[];
  drawFigure(check: NumberCheck, key: string): ReactNode;
}

const NO_CHECKS: readonly NumberCheck[] = [];

/** An answer that may still grow. Only its last pieces are read and drawn again. */
export function Markdown({ text, checks, drawFigure }: MarkdownProps) {
  const before = useRef<Blocks>(undefined);
  const { blocks } = useMemo(() => {
    before.current = readBlocks(text, before.current);
    return before.current;
  }, [text]);
  return (
    <div className="markdown">
      {blocks.map((block) => {
        const inside = checks.length > 0 ? checksWithin(checks, block) : NO_CHECKS;
        return (
          <PlacedBlock
            key={block.start}
            block={block}
            raw={block.token.raw}
            checks={inside.length > 0 ? inside : NO_CHECKS}
            drawFigure={drawFigure}
          />
        );
      })}
    </div>
  );
}

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

function isSame(one: readonly NumberCheck[], other: readonly NumberCheck[]): boolean {
  return one.length === other.length && one.every((check, index) => check === other[index]);
}
