import { useEffect, useRef } from 'react';
import type { OpenedPassage, ShownPassage } from '../../api/shapes.ts';
import { describeSource } from '../../chat/turn/footnote.tsx';
import { DOCUMENT_STRINGS } from '../../panel-strings.ts';
import { cleanName } from '../../parts/format.ts';
import { LoadProblem, useLoaded } from '../../parts/loaded.tsx';
import { STRINGS } from '../../strings.ts';
import { type PassagePlace, passagePath, splitPassage } from './passage-path.ts';

/** The most that the server returns of a document. */
const LONGEST = 20_000;

/** A passage at its place in the document, marked in its text. Without an end, the document from its beginning. */
export function Passage({ base, place }: { base: string; place: PassagePlace }) {
  const { value, problem, reload } = useLoaded<OpenedPassage>(passagePath(base, place));
  if (problem) return <LoadProblem text={problem} onRetry={reload} />;
  if (!value) return <p className="muted">{STRINGS.side.loading}</p>;
  return <PassageText passage={value} place={place} />;
}

/** The text with its heading path, page and version. */
export function PassageText({ passage, place }: { passage: ShownPassage; place?: PassagePlace }) {
  const mark = useRef<HTMLElement>(null);
  const { text, start, version, document, end, title } = passage;
  const { breadcrumb = passage.breadcrumb, page = passage.page } = place ?? {};
  const source = describeSource({ title, breadcrumb });
  const [before, inside, after] = splitPassage(text, start, place ?? { start, end });
  useEffect(() => {
    if (place) mark.current?.scrollIntoView({ block: 'nearest' });
  }, [place]);
  const facts = [
    cleanName(document),
    ...(page === undefined ? [] : [DOCUMENT_STRINGS.page(page)]),
    DOCUMENT_STRINGS.version(version),
  ];
  return (
    <section className="passage" aria-label={source}>
      <h3>{source}</h3>
      <p className="muted small">{facts.join(' · ')}</p>
      <div className="passage-text" dir="auto">
        {before}
        {inside && <mark ref={mark}>{inside}</mark>}
        {after}
      </div>
      {place && place.end === undefined && text.length >= LONGEST && (
        <p className="muted small">{DOCUMENT_STRINGS.beginning}</p>
      )}
    </section>
  );
}
