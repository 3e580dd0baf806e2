import { useEffect, useRef, useState } from 'react';
import { isSendKey } from '../../shell/keys.ts';
import { checkFiles, withType } from '../../state/check-files.ts';
import { useActions, useDeps, usePage } from '../../state/context.ts';
import { newestTurn } from '../../state/conversation.ts';
import { currentAgent, currentSpeaker, draftKeyOf, isReadOnly } from '../../state/page-state.ts';
import { isRunning } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';
import { AttachButton, Attachments, useDroppedFiles } from './attachments.tsx';
import { Counts, LONGEST, SendButton, StopButton, useEarlySend } from './send-parts.tsx';

/** The message that is being written. It survives a refresh and a server that is gone. */
export function Composer() {
  const actions = useActions();
  const { storage } = useDeps();
  const draftKey = usePage(draftKeyOf);
  const agentName = usePage((state) => currentSpeaker(state) ?? currentAgent(state)?.name ?? '');
  const isBusy = usePage(({ conversation }) => {
    const turn = newestTurn(conversation);
    return turn !== undefined && isRunning(turn);
  });
  const isLocked = usePage(isReadOnly);
  const [text, setText] = useState(() => storage.readDraft(draftKey));
  const [files, setFiles] = useState<readonly File[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    setText(storage.readDraft(draftKey));
    setFiles([]);
    if (matchMedia('(hover: hover)').matches) field.current?.focus();
  }, [draftKey, storage]);
  const checked = checkFiles(files);
  const addFiles = (added: Iterable<File>) => {
    // The browser empties its own list when the field is cleared.
    const typed = Array.from(added, withType);
    setFiles((before) => [...before, ...typed]);
  };
  const isOver = useDroppedFiles(addFiles);
  const length = [...text.trim()].length;
  const canSend = !isBusy && !isLocked && length > 0 && length <= LONGEST && checked.every(({ problem }) => !problem);
  const write = (next: string) => {
    setText(next);
    storage.writeDraft(draftKey, next);
  };
  const submit = () => {
    if (!canSend) return;
    write('');
    setFiles([]);
    void actions.send(text.trim(), files);
  };
  const enter = useEarlySend(`${draftKey} ${text}`, submit);
  return (
    <form
      className={isOver ? 'composer over' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Attachments files={checked} onRemove={(file) => setFiles(files.filter((other) => other !== file))} />
      {isOver && <p className="drop-hint">{STRINGS.files.drop}</p>}
      <div className="composer-row">
        <AttachButton onFiles={addFiles} />
        <textarea
          ref={field}
          rows={1}
          value={text}
          dir="auto"
          aria-label={STRINGS.composer.label}
          placeholder={STRINGS.composer.placeholder(agentName)}
          title={STRINGS.composer.hint}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => isSendKey(event) && enter()}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            addFiles(event.clipboardData.files);
          }}
        />
        {isBusy ? <StopButton /> : <SendButton canSend={canSend} />}
      </div>
      <Counts length={length} hasFiles={files.length > 0} />
    </form>
  );
}
