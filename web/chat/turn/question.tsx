import { lazy, Suspense, useState } from 'react';
import { cleanName } from '../../parts/format.ts';
import { Icon, IconButton } from '../../parts/icon.tsx';
import type { Question as AskedQuestion } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** Loaded with the first edit. */
const EditQuestion = lazy(() => import('./edit-question.tsx'));

interface QuestionProps {
  question: AskedQuestion;
  /** Absent while the question cannot be edited. */
  onEdit?: ((text: string) => void) | undefined;
}

export function Question({ question, onEdit }: QuestionProps) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing && onEdit) {
    return (
      <Suspense>
        <EditQuestion
          text={question.text}
          onCancel={() => setEditing(false)}
          onSend={(text) => {
            setEditing(false);
            onEdit(text);
          }}
        />
      </Suspense>
    );
  }
  return (
    <div className="question-row">
      {onEdit && (
        <IconButton icon="edit" label={STRINGS.turn.edit} className="faint" onClick={() => setEditing(true)} />
      )}
      <div className="question">
        <h2 className="visually-hidden">{STRINGS.you}</h2>
        <p dir="auto">{question.text}</p>
        {question.files.length > 0 && (
          <ul className="chips">
            {question.files.map((file, index) => (
              <li key={`${index}.${file.filename}`} className="chip">
                <Icon name="file" />
                {cleanName(file.filename)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
