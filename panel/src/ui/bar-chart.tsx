import { type CSSProperties, type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/bar-chart.module.css';
import { chartLines } from '#ui/chart-lines.ts';

export interface Bar {
  /** The full label, for screen readers, the table and the tooltip. */
  label: string;
  /** The label on the axis. */
  short: string;
  /** One value per series, from bottom to top. */
  values: readonly number[];
  /** The value to compare with, drawn as a mark across the bar. */
  before?: number | undefined;
}

interface Props {
  /** Content and unit of the chart, for screen readers. */
  label: string;
  /** The header of the table's first column. */
  rowLabel: string;
  series: readonly string[];
  bars: readonly Bar[];
  /** In pixels; less if there is no room. */
  thickness: number;
  format: (value: number) => string;
  /** The meaning of the marks. */
  before?: string | undefined;
  /** The values are bytes. */
  bytes?: boolean;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A bar chart over time. Series differ by pattern as well as colour. Arrow keys move through the bars. */
export function BarChart({ label, rowLabel, series, bars, thickness, format, before, bytes = false }: Props) {
  const { t } = useTranslation();
  const [at, setAt] = useState<number>();
  const lines = chartLines(Math.max(1, ...bars.map(bar => Math.max(sum(bar.values), bar.before ?? 0))), bytes);
  const top = lines.at(-1) ?? 1;
  const room = Math.max(...lines.map(line => format(line).length));
  const shown = at === undefined ? undefined : bars[at];
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') return setAt(undefined);
    if (!by) return;
    event.preventDefault();
    setAt(Math.min(bars.length - 1, Math.max(0, (at ?? (by > 0 ? -1 : bars.length)) + by)));
  };
  return (
    <div
      className={classes.chart}
      style={{ '--scale': `calc(${room} * 7px + 16px)` } as CSSProperties}
      onPointerLeave={() => setAt(undefined)}
    >
      {(series.length > 1 || before) && (
        <ul className={classes.legend} aria-hidden="true">
          {series.map((name, i) => (
            <li key={name}>
              <i data-series={i} />
              {name}
            </li>
          ))}
          {before && (
            <li>
              <i data-mark />
              {before}
            </li>
          )}
        </ul>
      )}
      {/* Arrow keys are for sighted keyboard users; the table below has all values as text. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={classes.plot}
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => setAt(undefined)}
      >
        <div className={classes.lines}>
          {lines.map(line => (
            <span key={line} style={{ bottom: `${(line / top) * 100}%` }}>
              {format(line)}
            </span>
          ))}
        </div>
        <div className={classes.bars}>
          {bars.map((bar, i) => (
            <div
              key={bar.label}
              className={classes.bar}
              data-at={i === at || undefined}
              onPointerEnter={() => setAt(i)}
              onPointerDown={() => setAt(i)}
            >
              <div style={{ maxWidth: thickness, height: `${(sum(bar.values) / top) * 100}%` }}>
                {bar.values.map((value, j) =>
                  value > 0 ? <i key={series[j]} data-series={j} style={{ flexGrow: value }} /> : null,
                )}
              </div>
              {before && bar.before !== undefined && (
                <span
                  className={classes.mark}
                  style={{ bottom: `${(bar.before / top) * 100}%`, maxWidth: thickness + 8 }}
                />
              )}
            </div>
          ))}
        </div>
        <Axis bars={bars} />
        {shown && at !== undefined && (
          <Tip side={at > bars.length / 2 ? 'left' : 'right'} place={(at + 0.5) / bars.length}>
            <strong>{shown.label}</strong>
            {shown.values.map((value, i) => (
              <span key={series[i]}>
                <i data-series={i} />
                {series[i]} <b>{format(value)}</b>
              </span>
            ))}
            {before && shown.before !== undefined && (
              <span>
                <i data-mark />
                {before} <b>{format(shown.before)}</b>
              </span>
            )}
          </Tip>
        )}
      </div>
      <span className="visually-hidden" aria-live="polite">
        {shown && `${shown.label}: ${shown.values.map((value, i) => `${series[i]} ${format(value)}`).join(', ')}`}
      </span>
      {/* A table cannot be clipped itself and would lengthen the page. */}
      <div className="visually-hidden">
        <table aria-label={t('chartTable', { name: label })}>
          <thead>
            <tr>
              <th scope="col">{rowLabel}</th>
              {series.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {before && <th scope="col">{before}</th>}
            </tr>
          </thead>
          <tbody>
            {bars.map(bar => (
              <tr key={bar.label}>
                <th scope="row">{bar.label}</th>
                {bar.values.map((value, i) => (
                  <td key={series[i]}>{format(value)}</td>
                ))}
                {before && <td>{format(bar.before ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** All labels if they are few, else every n-th; fewer on phones. */
export function Axis({ bars }: { bars: readonly Pick<Bar, 'label' | 'short'>[] }) {
  const wide = Math.ceil(bars.length / 12);
  const narrow = Math.ceil(bars.length / 5);
  return (
    <div className={classes.axis}>
      {bars.map((bar, i) => (
        <span key={bar.label} data-wide={i % wide === 0 || undefined} data-narrow={i % narrow === 0 || undefined}>
          <small>{bar.short}</small>
        </span>
      ))}
    </div>
  );
}

export function Tip({ side, place, children }: { side: 'left' | 'right'; place: number; children: ReactNode }) {
  return (
    <div className={classes.tipRoom}>
      <div
        className={classes.tip}
        style={
          side === 'right' ? { left: `calc(${place * 100}% + 14px)` } : { right: `calc(${(1 - place) * 100}% + 14px)` }
        }
      >
        {children}
      </div>
    </div>
  );
}
