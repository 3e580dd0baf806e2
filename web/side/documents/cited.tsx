import type { Citation } from '../../../src/schema/conversation/turn.ts';
import type { OpenedPassage } from '../../api/shapes.ts';
import { DOCUMENT_STRINGS } from '../../panel-strings.ts';
import { useLoaded } from '../../parts/loaded.tsx';
import { STRINGS } from '../../strings.ts';
import { PassageText } from './passage.tsx';
import { passagePath } from './passage-path.ts';
import { useFound } from './use-found.ts';

/** The passage of a citation. If its file has changed or is gone, the stored quote and the nearest passage of today. */
export function Cited({ base, citation }: { base: string; citation: Citation }) {
  const { value, problem } = useLoaded<OpenedPassage>(passagePath(base, citation));
  if (problem) return <Gone base={base} citation={citation} />;
  if (!value) return <p className="muted">{STRINGS.side.loading}</p>;
  if (value.is_current) return <PassageText passage={value} place={citation} />;
  return (
    <>
      <p className="problem mild">{DOCUMENT_STRINGS.changed}</p>
      <Quote citation={citation} />
      <p className="muted">{DOCUMENT_STRINGS.nearest}</p>
      <PassageText passage={value} />
    </>
  );
}

function Gone({ base, citation }: { base: string; citation: Citation }) {
  const nearest = useFound(base, citation.quote.slice(0, 500), 1)?.passages[0];
  return (
    <>
      <p className="problem mild">{DOCUMENT_STRINGS.gone}</p>
      <Quote citation={citation} />
      {nearest && (
        <>
          <p className="muted">{DOCUMENT_STRINGS.elsewhere}</p>
          <PassageText passage={nearest} />
        </>
      )}
    </>
  );
}

function Quote({ citation: { quote } }: { citation: Citation }) {
  return (
    <blockquote className="passage-text" dir="auto">
      {quote}
    </blockquote>
  );
}
