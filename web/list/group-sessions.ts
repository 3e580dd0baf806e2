import type { Session } from '../api/shapes.ts';
import { STRINGS } from '../strings.ts';

export interface SessionGroup {
  title: string;
  sessions: readonly Session[];
}

const DAY_MS = 86_400_000;

function activityOf({ last_activity, last_updated }: Session): string {
  return last_activity ?? last_updated;
}

/** Pinned conversations first, then by the day of their last activity, newest first. */
export function groupSessions(sessions: readonly Session[], now: Date): SessionGroup[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const titleOf = (session: Session): string => {
    if (session.pinned) return STRINGS.list.pinned;
    const time = Date.parse(activityOf(session));
    if (time >= today) return STRINGS.list.today;
    if (time >= today - DAY_MS) return STRINGS.list.yesterday;
    return time >= today - 6 * DAY_MS ? STRINGS.list.week : STRINGS.list.earlier;
  };
  const sorted = sessions.toSorted((one, other) => activityOf(other).localeCompare(activityOf(one)));
  const groups = Map.groupBy(sorted, titleOf);
  const { pinned, today: todayTitle, yesterday, week, earlier } = STRINGS.list;
  return [pinned, todayTitle, yesterday, week, earlier].flatMap((title) => {
    const members = groups.get(title);
    return members ? [{ title, sessions: members }] : [];
  });
}
