import { useId, useState } from 'react';
import { cleanName, formatName } from '../../parts/format.ts';
import type { Routing as Decision } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** Domains that a question was sent to. The reason is several lines long, so it is folded. */
export function Routing({ routing }: { routing: Decision }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { identified_domains: domains, reasoning, out_of_scope: isOut, clarification_needed: asks } = routing;
  return (
    <div className="routing">
      <ul className="chips" aria-label={STRINGS.routing.label}>
        {domains.map((domain) => (
          <li key={domain} className="chip">
            {formatName(cleanName(domain))}
            <Score routing={routing} domain={domain} />
          </li>
        ))}
        {isOut && <li className="chip">{STRINGS.routing.outOfScope}</li>}
        {asks && <li className="chip">{STRINGS.routing.clarify}</li>}
      </ul>
      {reasoning && (
        <button
          type="button"
          className="quiet"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {STRINGS.routing.why}
        </button>
      )}
      {isOpen && (
        <div id={id} className="muted small">
          <p>{reasoning}</p>
          <Reading routing={routing} />
        </div>
      )}
    </div>
  );
}

/** The computed line, and which words of the question became which part of it. */
function Reading({ routing: { reading } }: { routing: Decision }) {
  if (!reading || reading.echo === '') return null;
  const words = reading.spans.map(({ words: used, part }) => `${used} → ${part}`);
  return (
    <>
      <p>{STRINGS.routing.computed(reading.echo)}</p>
      {words.length > 0 && <p>{STRINGS.routing.words(words.join(' · '))}</p>}
    </>
  );
}

function Score({ routing, domain }: { routing: Decision; domain: string }) {
  const score = routing.scores?.find((entry) => entry.domain === domain)?.score;
  return score === undefined ? null : <span className="muted">{score.toFixed(2)}</span>;
}
