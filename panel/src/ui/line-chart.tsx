import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import bars from '#ui/bar-chart.module.css';
import { Axis, Tip } from '#ui/bar-chart.tsx';
import { chartLines } from '#ui/chart-lines.ts';
import classes from '#ui/line-chart.module.css';

interface Props {
  /** Content and unit of the chart, for screen readers. */
  label: string;
  /** The header of the table's first column. */
  rowLabel: string;
  /** The first is the one that the others are compared with. `note`: beside its name in the legend. */
  series: readonly { name: string; values: readonly number[]; note?: string }[];
  /** `label`: for screen readers, the table and the tooltip; `short`: on the axis. */
  points: readonly { label: string; short: string }[];
  format: (value: number) => string;
}

/** Lines over time. They differ by stroke as well as colour. Arrow keys move through the points. */
export function LineChart({ label, rowLabel, series, points, format }: Props) {
  const { t } = useTranslation();
  const [at, setAt] = useState<number>();
  const lines = chartLines(Math.max(1, ...series.flatMap(({ values }) => values)));
  const top = lines.at(-1) ?? 1;
  const room = Math.max(...lines.map(line => format(line).length));
  const shown = at === undefined ? undefined : points[at];
  const x = (i: number) => ((i + 0.5) / points.length) * 100;
  const curve = (values: readonly number[]) =>
    values.map((value, i) => `${x(i)},${100 - (value / top) * 100}`).join(' ');
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') return setAt(undefined);
    if (!by) return;
    event.preventDefault();
    setAt(Math.min(points.length - 1, Math.max(0, (at ?? (by > 0 ? -1 : points.length)) + by)));
  };
  return (
    <div
      className={bars.chart}
      style={{ '--scale': `calc(${room} * 7px + 16px)` } as CSSProperties}
      onPointerLeave={() => setAt(undefined)}
    >
      <ul className={`${bars.legend} ${classes.legend}`} aria-hidden="true">
        {series.map(({ name, note }, i) => (
          <li key={name}>
            <i data-line={i} />
            {name} {note && <b>{note}</b>}
          </li>
        ))}
      </ul>
      {/* Arrow keys are for sighted keyboard users; the table below has all values as text. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={`${bars.plot} ${classes.plot}`}
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => setAt(undefined)}
      >
        <div className={bars.lines}>
          {lines.map(line => (
            <span key={line} style={{ bottom: `${(line / top) * 100}%` }}>
              {format(line)}
            </span>
          ))}
        </div>
        <div className={bars.bars}>
          {points.map((point, i) => (
            <div
              key={point.label}
              className={bars.bar}
              data-at={i === at || undefined}
              onPointerEnter={() => setAt(i)}
              onPointerDown={() => setAt(i)}
            />
          ))}
          <svg className={classes.curves} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            <polygon points={`${x(0)},100 ${curve(series[0]?.values ?? [])} ${x(points.length - 1)},100`} />
            {series
              .map(({ name, values }, i) => <polyline key={name} data-line={i} points={curve(values)} />)
              .reverse()}
          </svg>
        </div>
        <Axis bars={points} />
        {shown && at !== undefined && (
          <Tip side={at > points.length / 2 ? 'left' : 'right'} place={(at + 0.5) / points.length}>
            <strong>{shown.label}</strong>
            {series.map(({ name, values }, i) => (
              <span key={name}>
                <i data-line={i} />
                {name} <b>{format(values[at] ?? 0)}</b>
              </span>
            ))}
          </Tip>
        )}
      </div>
      <span className="visually-hidden" aria-live="polite">
        {shown &&
          at !== undefined &&
          `${shown.label}: ${series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(', ')}`}
      </span>
      <div className="visually-hidden">
        <table aria-label={t('chartTable', { name: label })}>
          <thead>
            <tr>
              <th scope="col">{rowLabel}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, i) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{format(values[i] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
