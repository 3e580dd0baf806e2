import { useState } from 'react';
import { useSlices, useSteps } from '../markdown/use-slices.ts';
import { STRINGS } from '../strings.ts';

/** A result of 200 kB would cost seconds to lay out; its beginning is enough until somebody asks for all of it. */
const SHOWN = 4_000;

export function FoldedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHOWN;
  return (
    <>
      <pre className="plain" tabIndex={0}>
        {isOpen ? <PlainText text={text} /> : isLong ? `${text.slice(0, SHOWN)}…` : text}
      </pre>
      {isLong && !isOpen && (
        <button type="button" className="quiet" onClick={() => setOpen(true)}>
          {STRINGS.call.showAll}
        </button>
      )}
    </>
  );
}

/** A text as it is written, slice by slice. */
export function PlainText({ text }: { text: string }) {
  const slices = useSlices(text);
  const drawn = useSteps(slices.length);
  return slices.slice(0, drawn).map((slice) => (
    <span key={slice.start} className="plain-slice">
      {slice.text.replace(/\n$/, '')}
    </span>
  ));
}
