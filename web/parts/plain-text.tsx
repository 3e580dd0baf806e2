import { useSlices } from '../markdown/use-slices.ts';
import { useSteps } from './use-steps.ts';

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
