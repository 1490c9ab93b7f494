import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from '#features/customers/customers.module.css';

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  /** Of every row, in pixels, gap included. */
  height: number;
  rowKey: (row: Row) => string;
  onNearEnd: () => void;
  children: (row: Row) => ReactNode;
}

const spare = 6;

/** A list of any length of which only what can be seen, and a little around it, is on the page. */
export function WindowedList<Row>({ label, rows, height, rowKey, onNearEnd, children }: Props<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, room: 800 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setSeen({ top: element.scrollTop, room: element.clientHeight });
    const size = new ResizeObserver(look);
    size.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const first = Math.max(0, Math.floor(seen.top / height) - spare);
  const last = Math.min(rows.length, Math.ceil((seen.top + seen.room) / height) + spare);
  const near = last >= rows.length;
  const reached = useRef(onNearEnd);
  reached.current = onNearEnd;
  useEffect(() => {
    if (near && rows.length > 0) reached.current();
  }, [near, rows.length]);
  return (
    <div ref={box} className={classes.scroll}>
      <ul aria-label={label} style={{ height: rows.length * height }}>
        {rows.slice(first, last).map((row, i) => (
          <li
            key={rowKey(row)}
            style={{ top: (first + i) * height }}
            aria-setsize={rows.length}
            aria-posinset={first + i + 1}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </div>
  );
}
