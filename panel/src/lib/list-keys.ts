const searchBox = '[role=search] input[type=text]';
/** Other fields keep the arrow keys for themselves. */
const walkable = 'a, button, input[type=checkbox]';

/** The keys of lists: Ctrl / (on a Mac ⌘ /) goes to the search, and the arrow keys go through the rows. */
export function onListKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || !(event.target instanceof Element)) return;
  const next = goal(event, event.target);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function goal(event: KeyboardEvent, from: Element): HTMLElement | null | undefined {
  const scope =
    from.closest('[role=dialog]') ?? document.querySelector('[aria-modal=true]') ?? document.querySelector('main');
  // AltGr is Ctrl with Alt on Windows, and types a slash on some keyboards.
  if (event.key === '/' && (event.ctrlKey || event.metaKey) && !event.altKey)
    return scope?.querySelector<HTMLElement>(searchBox);
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return undefined;
  if (from.matches(searchBox))
    return event.key === 'ArrowDown' ? controlIn(scope?.querySelector<HTMLElement>('tbody tr')) : undefined;
  const row = from.matches(walkable) && from.closest<HTMLElement>('tbody tr');
  if (!row) return undefined;
  const sibling = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
  if (sibling) return controlIn(sibling, from);
  return event.key === 'ArrowUp' ? scope?.querySelector<HTMLElement>(searchBox) : undefined;
}

/** The control of a row that corresponds to that of another row. Without one, the control that opens the row. */
function controlIn(row: Element | null | undefined, from?: Element): HTMLElement | null | undefined {
  const column = from?.closest('td')?.cellIndex;
  const kind = from?.matches('input') ? 'input[type=checkbox]' : 'a, button';
  const cell = column === undefined ? undefined : row?.querySelectorAll<HTMLElement>('td')[column];
  return (
    cell?.querySelector<HTMLElement>(kind) ??
    row?.querySelector<HTMLElement>('td a, td button') ??
    row?.querySelector<HTMLElement>(walkable)
  );
}
