import { useEffect } from 'react';
import type { DocumentInfo, FoundPassages, DocumentList as Listed } from '../../api/shapes.ts';
import { describeSource } from '../../chat/turn/footnote.tsx';
import { DOCUMENT_STRINGS } from '../../panel-strings.ts';
import { cleanName } from '../../parts/format.ts';
import { LoadProblem, useLoaded } from '../../parts/loaded.tsx';
import { STRINGS } from '../../strings.ts';
import type { PassagePlace } from './passage-path.ts';

const BUILDING_MS = 2_000;

/** The documents with their state, problems first. The list is read again while documents are being read. */
export function DocumentList({ base, onOpen }: { base: string; onOpen(place: PassagePlace): void }) {
  const { value, problem, reload } = useLoaded<Listed>(base);
  useEffect(() => {
    if (!value?.building) return;
    const timer = setTimeout(reload, BUILDING_MS);
    return () => clearTimeout(timer);
  }, [value, reload]);
  if (problem) return <LoadProblem text={problem} onRetry={reload} />;
  if (!value) return <p className="muted">{STRINGS.side.loading}</p>;
  const { documents, remarks, building } = value;
  return (
    <>
      {building && <p className="muted small">{DOCUMENT_STRINGS.building(building.done, building.total)}</p>}
      {remarks.map((remark) => (
        <p key={remark} className="note">
          {remark}
        </p>
      ))}
      {documents.length === 0 && !building && <p className="muted">{DOCUMENT_STRINGS.empty}</p>}
      <ul className="documents" aria-label={DOCUMENT_STRINGS.list}>
        {documents.map((document) => (
          <li key={`${document.knowledge}/${document.document}`}>
            {document.state === 'unread' ? (
              <div className="document">
                <DocumentFacts document={document} />
              </div>
            ) : (
              <button
                type="button"
                className="document"
                onClick={() => onOpen({ knowledge: document.knowledge, document: document.document, start: 0 })}
              >
                <DocumentFacts document={document} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function DocumentFacts({ document }: { document: DocumentInfo }) {
  return (
    <>
      <strong>{cleanName(document.title)}</strong>
      <span className="muted small">{factsOf(document)}</span>
      {document.reason && <span className="bad small">{cleanName(document.reason)}</span>}
    </>
  );
}

function factsOf({ document, state, passages }: DocumentInfo): string {
  const problem = state === 'read' ? [] : [DOCUMENT_STRINGS[state]];
  const count = state === 'unread' ? [] : [DOCUMENT_STRINGS.passages(passages)];
  return [cleanName(document), ...problem, ...count].join(' · ');
}

const SHOWN_CHARS = 240;

interface FoundListProps {
  found: FoundPassages;
  onOpen(place: PassagePlace): void;
}

/** Passages of a search, best first, each with the beginning of its text. */
export function FoundList({ found: { passages, is_found: isFound }, onOpen }: FoundListProps) {
  if (passages.length === 0) return <p className="muted">{DOCUMENT_STRINGS.nothing}</p>;
  return (
    <>
      {!isFound && <p className="muted">{DOCUMENT_STRINGS.notFound}</p>}
      <ul className="documents" aria-label={DOCUMENT_STRINGS.found}>
        {passages.map(({ knowledge, document, start, end, text, ...passage }) => (
          <li key={`${knowledge}/${document}.${start}`}>
            <button
              type="button"
              className="document"
              onClick={() => onOpen({ knowledge, document, start, end, ...passage })}
            >
              <strong>{describeSource(passage)}</strong>
              <span className="small">{text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
