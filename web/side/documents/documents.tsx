import './documents.css';
import { useState } from 'react';
import type { Citation } from '../../../src/schema/conversation/turn.ts';
import { DOCUMENT_STRINGS } from '../../panel-strings.ts';
import { Icon } from '../../parts/icon.tsx';
import { useActions, usePage } from '../../state/context.ts';
import type { Conversation } from '../../state/conversation.ts';
import { currentAgent } from '../../state/page-state.ts';
import { answerOf } from '../../state/turn.ts';
import { Cited } from './cited.tsx';
import { DocumentList, FoundList } from './document-list.tsx';
import { Passage } from './passage.tsx';
import type { PassagePlace } from './passage-path.ts';
import { useFound } from './use-found.ts';

/** The documents of the agent: the passage of the citation in the address, else a search over all of them. */
export default function DocumentsPanel({ at }: { at: string | undefined }) {
  const actions = useActions();
  const agent = usePage(currentAgent)?.name;
  const conversation = usePage((state) => state.conversation);
  const [place, setPlace] = useState<PassagePlace>();
  const [query, setQuery] = useState('');
  if (agent === undefined) return null;
  const base = `/agent/${encodeURIComponent(agent)}/knowledge`;
  const citation = findCitation(conversation, at);
  const onBack = () => {
    setPlace(undefined);
    if (at) actions.showSide('documents');
  };
  if (!at && !place) return <Browse base={base} query={query} onQuery={setQuery} onOpen={setPlace} />;
  return (
    <div className="row-panel">
      <button type="button" className="quiet documents-back" onClick={onBack}>
        {DOCUMENT_STRINGS.back}
      </button>
      {at && citation && <Cited key={at} base={base} citation={citation} />}
      {at && !citation && <p className="muted">{DOCUMENT_STRINGS.lost}</p>}
      {!at && place && <Passage base={base} place={place} />}
    </div>
  );
}

interface BrowseProps {
  base: string;
  query: string;
  onQuery(query: string): void;
  onOpen(place: PassagePlace): void;
}

function Browse({ base, query, onQuery, onOpen }: BrowseProps) {
  const found = useFound(base, query, 10);
  return (
    <div className="row-panel">
      <div className="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={DOCUMENT_STRINGS.search}
          placeholder={DOCUMENT_STRINGS.search}
          value={query}
          maxLength={2000}
          onChange={(event) => onQuery(event.target.value)}
        />
      </div>
      {found ? <FoundList found={found} onOpen={onOpen} /> : <DocumentList base={base} onOpen={onOpen} />}
    </div>
  );
}

/** The citation at `<message>.<id>` of the conversation. */
function findCitation({ turns }: Conversation, at: string | undefined): Citation | undefined {
  const cut = at?.lastIndexOf('.') ?? -1;
  if (!at || cut < 0) return undefined;
  const turn = Object.values(turns).find((one) => answerOf(one)?.id === at.slice(0, cut));
  return turn?.facts.citations?.find(({ id }) => id === at.slice(cut + 1));
}
