import { formatValue } from '../parts/format.ts';
import type { ChartData } from './chart-data.ts';
import { useWidth } from './use-width.ts';
import { formatTick, valueTicks } from './value-ticks.ts';

const TICK_WIDTH = 72;
const BAR_HEIGHT = 12;
const BAR_GAP = 2;

/** Horizontal bars: names are read from left to right, whatever their length. */
export function Bars({ chart, count }: { chart: ChartData; count: number }) {
  const { labels, series, format } = chart;
  const [axis, width] = useWidth<SVGSVGElement>();
  const values = series.flatMap((one) => one.values.slice(0, count)).filter((value) => value !== undefined);
  const isWhole = format === undefined && values.every(Number.isInteger);
  const ticks = valueTicks(values, { most: Math.min(5, Math.max(1, Math.floor(width / TICK_WIDTH))), isWhole });
  const place = placeOn(ticks);
  return (
    <div className="bars">
      {labels.slice(0, count).map((label, row) => (
        <div key={`${row}.${label}`} className="bar-row">
          <span className="bar-label">{label}</span>
          <span className={series.length > 1 ? 'bar paired' : 'bar'}>
            <svg aria-hidden="true">
              <Grid ticks={ticks} place={place} />
              {series.map(({ values: own, name }, index) => {
                const value = own[row];
                if (value === undefined) return null;
                const [left, right] = [place(Math.min(value, 0)), place(Math.max(value, 0))];
                const top = index * (BAR_HEIGHT + BAR_GAP) - (series.length * (BAR_HEIGHT + BAR_GAP) - BAR_GAP) / 2;
                return (
                  <rect
                    key={name ?? 'only'}
                    className={classOf(index, series.length, value)}
                    x={`${left}%`}
                    y="50%"
                    width={`${right - left}%`}
                    height={BAR_HEIGHT}
                    transform={`translate(0 ${top})`}
                  />
                );
              })}
            </svg>
          </span>
          <span className="bar-text">
            {series.map(({ values: own, name }, index) => (
              <span key={name ?? 'only'} className={index < series.length - 1 ? 'muted' : undefined}>
                {formatValue(own[row], format)}
              </span>
            ))}
          </span>
        </div>
      ))}
      <svg ref={axis} className="bar-axis" aria-hidden="true">
        {ticks.map((tick, index) => (
          <text key={tick} x={`${place(tick)}%`} y="14" textAnchor={anchorOf(index, ticks.length)}>
            {formatTick(tick, format)}
          </text>
        ))}
      </svg>
    </div>
  );
}

function Grid({ ticks, place }: { ticks: readonly number[]; place(value: number): number }) {
  return ticks.map((tick) => (
    <line
      key={tick}
      className={tick === 0 ? 'zero' : 'grid-line'}
      x1={`${place(tick)}%`}
      x2={`${place(tick)}%`}
      y1="0"
      y2="100%"
    />
  ));
}

/** The place of a value between the first and the last tick, in percent. */
function placeOn(ticks: readonly number[]): (value: number) => number {
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  return (value) => ((value - low) / (high - low)) * 100;
}

function classOf(index: number, all: number, value: number): string {
  if (index < all - 1) return 'bar-before';
  return value < 0 ? 'bar-value bar-negative' : 'bar-value';
}

function anchorOf(index: number, all: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start';
  return index === all - 1 ? 'end' : 'middle';
}
