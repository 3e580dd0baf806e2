/** The texts of charts, which are loaded with the first one. */
export const CHART_STRINGS = {
  title: (value: string, label: string) => `${value} by ${label.toLowerCase()}`,
  table: 'As table',
  chart: 'As chart',
  before: 'Before',
  now: 'Now',
  cut: (shown: number, all: number) => `The first ${shown} of ${all.toLocaleString('en-US')} are drawn.`,
  showAll: (all: number) => `Show all ${all.toLocaleString('en-US')}`,
  more: 'The source has more rows than it returned.',
  overview: 'All figures',
  figure: 'figure',
  value: 'value',
  change: 'change',
  from: 'from',
  points: (count: number) => `${count} points`,
  highest: 'highest',
  lowest: 'lowest',
} as const;
