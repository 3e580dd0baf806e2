import { formatValue } from '../parts/format.ts';
import type { ChartData } from './chart-data.ts';
import { extremesOf } from './describe-chart.ts';
import { type LinePoint, type LineShape, shapeLine } from './line-shape.ts';
import { useWidth } from './use-width.ts';

const HEIGHT = 220;

/** Values over time with their points; the highest and the lowest are written beside theirs. */
export function Line({ chart }: { chart: ChartData }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const shape = width > 0 ? shapeLine(chart, width, HEIGHT) : undefined;
  return (
    <div ref={frame} className="line">
      {shape && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <Axes shape={shape} />
          {shape.lines.map((pieces, index) => (
            <g
              key={chart.series[index]?.name ?? 'only'}
              className={index === shape.lines.length - 1 ? 'series' : 'series before'}
            >
              {pieces.map((points) => (
                <polyline
                  key={points[0]?.index}
                  points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
                />
              ))}
              {pieces.flat().map((point) => (
                <Point key={point.index} point={point} isShown={shape.hasPoints} text={textOf(chart, index, point)} />
              ))}
            </g>
          ))}
          <Extremes chart={chart} shape={shape} />
        </svg>
      )}
    </div>
  );
}

function Axes({ shape: { ticks, labels, left, right, bottom } }: { shape: LineShape }) {
  return (
    <>
      {ticks.map(({ value, text, y }) => (
        <g key={value}>
          <line className={value === 0 ? 'zero' : 'grid-line'} x1={left} x2={right} y1={y} y2={y} />
          <text x={left - 8} y={y + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {labels.map(({ text, x, anchor }) => (
        <g key={text}>
          <line className="tick" x1={x} x2={x} y1={bottom} y2={bottom + 5} />
          <text x={x} y={bottom + 20} textAnchor={anchor}>
            {text}
          </text>
        </g>
      ))}
    </>
  );
}

/** Close points are drawn without a dot, and still name their value under the pointer. */
function Point({ point: { x, y }, isShown, text }: { point: LinePoint; isShown: boolean; text: string }) {
  return (
    <circle className={isShown ? 'point' : 'point hidden'} cx={x} cy={y} r="3.5">
      <title>{text}</title>
    </circle>
  );
}

function textOf({ labels, series, format }: ChartData, index: number, { index: at }: LinePoint): string {
  return `${labels[at]}: ${formatValue(series[index]?.values[at], format)}`;
}

function Extremes({ chart, shape: { lines, left, right } }: { chart: ChartData; shape: LineShape }) {
  const last = chart.series.length - 1;
  const series = chart.series[last];
  if (!series) return null;
  const { highest, lowest } = extremesOf(series);
  const points = lines[last]?.flat() ?? [];
  return [...new Set([highest, lowest])].map((at) => {
    const point = points.find(({ index }) => index === at);
    if (!point) return null;
    const text = formatValue(series.values[at], chart.format);
    const half = text.length * 3.5;
    const x = Math.min(Math.max(point.x, left + half), right - half + 8);
    return (
      <text key={at} className="extreme" x={x} y={at === highest ? point.y - 9 : point.y + 18} textAnchor="middle">
        {text}
      </text>
    );
  });
}
