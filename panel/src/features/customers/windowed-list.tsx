import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from '#features/customers/customers.module.css';

interface Props {
  label: string;
  /** The number of rows, loaded or not. */
  total: number;
  /** The height of a row in pixels, with the gap. */
  height: number;
  /** Called with the indexes of the first and the last visible row. */
  onSee: (places: { first: number; last: number }) => void;
  children: (place: number) => ReactNode;
}

const spare = 6;

/** A virtual list: only the visible rows and a few around them are in the DOM. */
export function WindowedList({ label, total, height, onSee, children }: Props) {
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
  const end = Math.min(total, Math.ceil((seen.top + seen.room) / height) + spare);
  const tell = useRef(onSee);
  tell.current = onSee;
  useEffect(() => tell.current({ first, last: Math.max(first, end - 1) }), [first, end]);
  return (
    <div ref={box} className={classes.scroll}>
      <ul aria-label={label} style={{ height: total * height }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i).map(place => (
          <li key={place} style={{ top: place * height }} aria-setsize={total} aria-posinset={place + 1}>
            {children(place)}
          </li>
        ))}
      </ul>
    </div>
  );
}
