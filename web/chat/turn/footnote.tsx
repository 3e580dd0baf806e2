import type { Citation } from '../../../src/schema/conversation/turn.ts';
import { cleanName } from '../../parts/format.ts';
import { STRINGS } from '../../strings.ts';

interface FootnoteProps {
  citation: Citation;
  isShown: boolean;
  onShow(): void;
}

/** A citation in an answer, as a small number that opens its passage. */
export function Footnote({ citation, isShown, onShow }: FootnoteProps) {
  return (
    <button
      type="button"
      className="figure footnote"
      aria-label={STRINGS.source.open(describeSource(citation))}
      aria-pressed={isShown}
      onClick={onShow}
    >
      {citation.id.slice(1)}
    </button>
  );
}

/** "Annual leave › Carry-over". */
export function describeSource({ title, breadcrumb }: { title: string; breadcrumb: readonly string[] }): string {
  return [title, ...breadcrumb].map(cleanName).join(' › ');
}
