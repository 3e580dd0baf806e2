import { cleanName } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** Whether each attached file was read. */
export default function FileVerdicts({ files }: { files: Turn['files'] }) {
  return (
    <ul className="file-verdicts">
      {files.map(({ filename, verdict, detail }, index) => (
        <li key={`${index}.${filename}`} className={verdict}>
          <Icon name={verdict === 'refused' ? 'cross' : verdict === 'partly' ? 'alert' : 'check'} />
          <strong>{cleanName(filename)}</strong> <span>{STRINGS.files[verdict]}</span>
          {detail && <span className="muted">{detail}</span>}
        </li>
      ))}
    </ul>
  );
}
