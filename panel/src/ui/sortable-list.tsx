import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/sortable-list.module.css';

interface Props<Item> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Called once an item has been dropped. */
  onMove: (from: number, to: number) => void;
  disabled?: boolean;
  /** `handle` is the button that moves an item by dragging or with the arrow keys. */
  children: (item: Item, index: number, handle: ReactNode) => ReactNode;
}

interface Drag {
  from: number;
  to: number;
  startY: number;
  dy: number;
}

/** The items in their new order. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** A list that can be reordered by pointer and keyboard. Changes are announced to screen readers. */
export function SortableList<Item>({ label, items, keyOf, nameOf, onMove, disabled, children }: Props<Item>) {
  const { t } = useTranslation('table');
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState('');
  const refocus = useRef<string>(undefined);

  // A row that moves in the DOM loses the focus of its handle.
  useLayoutEffect(() => {
    if (refocus.current === undefined) return;
    const row = [...(list.current?.children ?? [])].find(it => (it as HTMLElement).dataset.key === refocus.current);
    row?.querySelector<HTMLElement>('[data-handle]')?.focus();
    refocus.current = undefined;
  }, [items]);

  const move = (from: number, to: number) => {
    const item = items[from];
    if (!item || from === to || to < 0 || to >= items.length) return;
    refocus.current = keyOf(item);
    setSaid(t('sortable.moved', { name: nameOf(item), place: to + 1, count: items.length }));
    onMove(from, to);
  };
  const placeAt = (y: number, from: number) => {
    const rows = [...(list.current?.children ?? [])].map(row => row.getBoundingClientRect());
    return rows.filter((row, i) => i !== from && y > row.top + row.height / 2).length;
  };
  const start = (index: number) => (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: index, to: index, startY: event.clientY, dy: 0 });
  };
  const follow = (event: PointerEvent) =>
    setDrag(now => now && { ...now, to: placeAt(event.clientY, now.from), dy: event.clientY - now.startY });
  // The place under the pointer counts: the last movement may not be drawn yet.
  const end = (event: PointerEvent) => {
    if (drag) move(drag.from, placeAt(event.clientY, drag.from));
    setDrag(undefined);
  };
  const press = (index: number) => (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setDrag(undefined);
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!by) return;
    event.preventDefault();
    move(index, index + by);
  };

  return (
    <>
      <ol ref={list} className={classes.list} aria-label={label}>
        {items.map((item, index) => (
          <li
            key={keyOf(item)}
            data-key={keyOf(item)}
            data-dragged={drag?.from === index || undefined}
            data-line={lineAt(drag, index)}
            style={drag?.from === index ? { transform: `translateY(${drag.dy}px)` } : undefined}
          >
            {children(
              item,
              index,
              <button
                type="button"
                data-handle
                className={classes.handle}
                disabled={disabled}
                aria-label={t('sortable.handle', { name: nameOf(item), place: index + 1, count: items.length })}
                title={t('sortable.help')}
                onPointerDown={start(index)}
                onPointerMove={follow}
                onPointerUp={end}
                onPointerCancel={() => setDrag(undefined)}
                onKeyDown={press(index)}
              >
                <IconGripVertical size={16} aria-hidden />
              </button>,
            )}
          </li>
        ))}
      </ol>
      <span className="visually-hidden" aria-live="assertive">
        {said}
      </span>
    </>
  );
}

/** The position of the drop indicator. */
function lineAt(drag: Drag | undefined, index: number): 'before' | 'after' | undefined {
  if (!drag || drag.to === drag.from || index !== drag.to) return undefined;
  return drag.to < drag.from ? 'before' : 'after';
}
