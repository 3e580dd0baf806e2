import { useEffect } from 'react';
import type { DocumentInfo, DocumentList as Listed } from '../../api/shapes.ts';
import { cleanName } from '../../parts/clean-name.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { STRINGS } from '../../strings.ts';
import { DOCUMENT_STRINGS } from './document-strings.ts';
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
