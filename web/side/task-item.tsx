import type { ShownTask } from '../api/shapes.ts';
import { PANEL_STRINGS } from '../panel-strings.ts';
import { cleanName } from '../parts/clean-name.ts';
import { formatDue } from '../parts/format-time.ts';
import { IconButton } from '../parts/icon-button.tsx';

interface TaskItemProps {
  task: ShownTask;
  onChange(change: Record<string, unknown>): void;
}

/** A task with a box to tick, its due date, and a button that deletes it. */
export function TaskItem({ task, onChange }: TaskItemProps) {
  const title = cleanName(task.title);
  return (
    <li className="task">
      <label>
        <input
          type="checkbox"
          checked={task.is_completed}
          onChange={(event) => onChange({ is_completed: event.target.checked })}
        />
        <span className={task.is_completed ? 'task-title ticked' : 'task-title'}>{title}</span>
        {task.due_date && <span className="muted small">{formatDue(task.due_date)}</span>}
      </label>
      <IconButton icon="trash" label={PANEL_STRINGS.tasks.remove(title)} onClick={() => onChange({ deleted: true })} />
    </li>
  );
}
