import { newId } from '../api/api.ts';
import type { ShownTask } from '../api/shapes.ts';
import { PANEL_STRINGS } from '../panel-strings.ts';
import { cleanName, formatDue } from '../parts/format.ts';
import { IconButton } from '../parts/icon.tsx';
import { LoadProblem, useLoaded } from '../parts/loaded.tsx';
import { useActions, useDeps, usePage } from '../state/context.ts';
import { countEndedCalls } from '../state/conversation.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';

/** The user's tasks beside the chat, in the order of the list. The list is read again after every call of a tool. */
export default function TasksPanel() {
  const actions = useActions();
  const { api } = useDeps();
  const agent = usePage(currentAgent)?.name;
  const path = agent && `/agent/${encodeURIComponent(agent)}/tasks`;
  const { value, problem, reload } = useLoaded<{ tasks: readonly ShownTask[] }>(path, usePage(countEndedCalls));
  const change = (task: ShownTask, json: Record<string, unknown>) =>
    void actions.attempt(async () => {
      await api.read(`${path}/${task.id}`, { json, headers: { 'idempotency-key': newId() } });
      reload();
    });
  if (problem) return <LoadProblem text={problem} onRetry={reload} />;
  if (!value) return <p className="muted">{STRINGS.side.loading}</p>;
  const open = value.tasks.filter((task) => !task.is_completed);
  const done = value.tasks.filter((task) => task.is_completed);
  return (
    <div className="row-panel">
      {value.tasks.length === 0 && <p className="muted">{PANEL_STRINGS.tasks.empty}</p>}
      {open.length > 0 && <TaskList label={PANEL_STRINGS.tasks.open} tasks={open} onChange={change} />}
      {done.length > 0 && <TaskList label={PANEL_STRINGS.tasks.done} tasks={done} onChange={change} />}
    </div>
  );
}

interface TaskListProps {
  label: string;
  tasks: readonly ShownTask[];
  onChange(task: ShownTask, change: Record<string, unknown>): void;
}

function TaskList({ label, tasks, onChange }: TaskListProps) {
  return (
    <section aria-label={label}>
      <h3 className="tasks-head">{label}</h3>
      <ul className="tasks">
        {tasks.map((task) => (
          <TaskItem key={task.id} task={task} onChange={(change) => onChange(task, change)} />
        ))}
      </ul>
    </section>
  );
}

interface TaskItemProps {
  task: ShownTask;
  onChange(change: Record<string, unknown>): void;
}

/** A task with a box to tick, its due date, and a button that deletes it. */
function TaskItem({ task, onChange }: TaskItemProps) {
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
