import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from '#features/customers/customers.module.css';

interface Props {
  label: string;
  /** The number of rows, loaded or not. */
  total: number;
  /** The height of a row in pixels, with the gap. */
  height: number;
  /** Called with the indexes of the first and the last visible row. */
  onSee: (indexes: { first: number; last: number }) => void;
  children: (index: number) => ReactNode;
}

const overscan = 6;

/** A virtual list: only the visible rows and a few around them are in the DOM. */
export function VirtualList({ label, total, height, onSee, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setViewport({ top: element.scrollTop, height: element.clientHeight });
    const size = new ResizeObserver(measure);
    size.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const first = Math.max(0, Math.floor(viewport.top / height) - overscan);
  const end = Math.min(total, Math.ceil((viewport.top + viewport.height) / height) + overscan);
  const latest = useRef(onSee);
  latest.current = onSee;
  useEffect(() => latest.current({ first, last: Math.max(first, end - 1) }), [first, end]);
  return (
    <div ref={box} className={classes.scroll}>
      <ul aria-label={label} style={{ height: total * height }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i).map(index => (
          <li key={index} style={{ top: index * height }} aria-setsize={total} aria-posinset={index + 1}>
            {children(index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
