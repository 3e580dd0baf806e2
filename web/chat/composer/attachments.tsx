import { cleanName } from '../../parts/clean-name.ts';
import { Icon } from '../../parts/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import type { CheckedFile } from '../../state/check-files.ts';
import { STRINGS } from '../../strings.ts';

interface AttachmentsProps {
  files: readonly CheckedFile[];
  onRemove(file: File): void;
}

/** Files that the next message takes along. */
export function Attachments({ files, onRemove }: AttachmentsProps) {
  if (files.length === 0) return null;
  return (
    <ul className="attachments">
      {files.map(({ file, problem }, index) => (
        <li key={`${index}.${file.name}`} className={problem ? 'chip bad' : 'chip'}>
          <Icon name={problem ? 'alert' : 'file'} />
          <span className="chip-text">{cleanName(file.name)}</span>
          {problem && <span>{problem}</span>}
          <IconButton icon="close" label={STRINGS.files.remove(cleanName(file.name))} onClick={() => onRemove(file)} />
        </li>
      ))}
    </ul>
  );
}
