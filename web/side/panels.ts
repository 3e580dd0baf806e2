import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { AgentInfo } from '../api/shapes.ts';
import type { IconName } from '../parts/icon.tsx';
import type { Side } from '../state/place.ts';
import { STRINGS } from '../strings.ts';

export interface PanelEntry {
  side: Side;
  label: string;
  icon: IconName;
  /** The panel is loaded when it is first opened. Its subject is `place.at`. */
  View: LazyExoticComponent<ComponentType<{ at: string | undefined }>>;
  /** Absent = for every agent. */
  isOffered?(agent: AgentInfo | undefined): boolean;
}

/** The panels beside the conversation. A new one is one file and one entry here. */
export const PANELS: readonly PanelEntry[] = [
  {
    side: 'row',
    label: STRINGS.side.row,
    icon: 'panel',
    View: lazy(() => import('./row.tsx')),
    isOffered: (agent) => agent?.has_domains ?? false,
  },
  { side: 'trace', label: STRINGS.side.trace, icon: 'trace', View: lazy(() => import('./trace.tsx')) },
  {
    side: 'tasks',
    label: STRINGS.side.tasks,
    icon: 'check',
    View: lazy(() => import('./tasks.tsx')),
    isOffered: (agent) => agent?.has_tasks ?? false,
  },
  {
    side: 'documents',
    label: STRINGS.side.documents,
    icon: 'file',
    View: lazy(() => import('./documents/documents.tsx')),
    isOffered: (agent) => agent?.has_knowledge ?? false,
  },
  { side: 'ways', label: STRINGS.side.ways, icon: 'export', View: lazy(() => import('./ways.tsx')) },
  {
    side: 'tests',
    label: STRINGS.side.tests,
    icon: 'flask',
    View: lazy(() => import('./tests/tests.tsx')),
    isOffered: (agent) => agent?.has_runs ?? false,
  },
];
