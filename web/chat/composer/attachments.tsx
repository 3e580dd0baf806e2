import { useEffect, useRef, useState } from 'react';
import { cleanName } from '../../parts/format.ts';
import { Icon, IconButton } from '../../parts/icon.tsx';
import { ACCEPTED, type CheckedFile } from '../../state/check-files.ts';
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

export function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label={STRINGS.files.attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** Files may be dropped anywhere on the page; a browser would otherwise leave the page to open them. */
export function useDroppedFiles(onFiles: (files: Iterable<File>) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        take.current(event.dataTransfer?.files ?? []);
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  return isOver;
}
