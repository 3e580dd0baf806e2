import type { FoundPassages } from '../../api/shapes.ts';
import { describeSource } from '../../chat/turn/footnote.tsx';
import { DOCUMENT_STRINGS } from './document-strings.ts';
import type { PassagePlace } from './passage-path.ts';

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
