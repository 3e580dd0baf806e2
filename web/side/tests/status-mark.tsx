import type { CaseStatus } from '../../../src/schema/tests/run-report.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { TEST_STRINGS } from './test-strings.ts';

const ICONS: Record<CaseStatus, IconName> = { passed: 'check', failed: 'cross', error: 'alert' };

/** The outcome as an icon, and as a word for screen readers. */
export function StatusMark({ status }: { status: CaseStatus }) {
  return (
    <span className={`test-mark ${status}`}>
      <Icon name={ICONS[status]} />
      <span className="visually-hidden">{TEST_STRINGS.status[status]} </span>
    </span>
  );
}
