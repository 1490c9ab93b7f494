import { IconPlus, IconSearch, IconX } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApple } from '#lib/is-apple.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { type ListSearch, useListSearch } from '#lib/search.ts';
import type { Filter } from '#ui/filter.ts';
import classes from '#ui/filter-bar.module.css';
import { typedAs } from '#ui/typed-as.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The keys of filters that this entry was opened without. */
    dropped?: readonly string[];
  }
}

const DroppedFilters = lazyPart(() => import('#ui/dropped-filters.tsx'), 'DroppedFilters');
const FilterPopover = lazyPart(() => import('#ui/filter-popover.tsx'), 'FilterPopover');

interface Props {
  /** The search box, if the list has one. */
  search?: { key: string; placeholder: string; format?: (typed: string) => string } | undefined;
  filters?: readonly Filter[];
  children?: ReactNode;
}

/** Search and filters of a list, all kept in the address. An active filter is a chip that can be removed. */
export function FilterBar({ search, filters = [], children }: Props) {
  const { t } = useTranslation();
  const [now, change] = useListSearch();
  const set = filters.filter(filter => valueOf(filter, now));
  const dropped = useLocation({ select: it => it.state.dropped });
  const clear = () => change(Object.assign({}, ...set.map(filter => patchOf(filter, undefined))));
  return (
    <div className={classes.bar} role="search">
      {search && (
        <SearchBox
          placeholder={search.placeholder}
          format={search.format}
          value={now[search.key] ?? ''}
          onChange={value => change({ [search.key]: value || undefined })}
        />
      )}
      {filters.map(filter =>
        filter.offered === false && !valueOf(filter, now) ? null : (
          <Chip
            key={filter.key}
            filter={filter}
            value={valueOf(filter, now)}
            onChange={value => change(patchOf(filter, value || undefined))}
          />
        ),
      )}
      {set.length > 1 && (
        <button type="button" className={classes.clear} onClick={clear}>
          {t('list.clearFilters')}
        </button>
      )}
      {children && <div className={classes.rest}>{children}</div>}
      {dropped && <DroppedFilters filters={filters} keys={dropped} />}
    </div>
  );
}

const keysOf = (filter: Filter) => (filter.kind === 'custom' ? filter.keys : undefined);
const valueOf = (filter: Filter, search: ListSearch) => keysOf(filter)?.read(search) ?? search[filter.key];
const patchOf = (filter: Filter, value: string | undefined): ListSearch =>
  keysOf(filter)?.write(value) ?? { [filter.key]: value };

function SearchBox({
  value,
  placeholder,
  format = typed => typed,
  onChange,
}: {
  value: string;
  placeholder: string;
  format?: ((typed: string) => string) | undefined;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  // Back and forward change the value in the address.
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => latest.current(typed.trim()), 300);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <label className={classes.search}>
      <IconSearch size={16} aria-hidden />
      <span className="visually-hidden">{placeholder}</span>
      <input
        type="text"
        value={typed}
        placeholder={placeholder}
        title={isApple ? '⌘ /' : 'Ctrl /'}
        aria-keyshortcuts="Control+/ Meta+/"
        onChange={event => setTyped(typedAs(format, event.currentTarget))}
        autoComplete="off"
        spellCheck={false}
      />
      {typed && (
        <button type="button" onClick={() => setTyped('')} aria-label={t('list.clearSearch')}>
          <IconX size={14} aria-hidden />
        </button>
      )}
    </label>
  );
}

function describe(filter: Filter, value: string): string {
  if (filter.kind === 'custom') return filter.describe(value);
  if (filter.kind === 'text') return value;
  const chosen = value.split(',');
  const labels = filter.options.filter(option => chosen.includes(option.value)).map(option => option.label);
  const named = labels.slice(0, chosen.length > 2 ? 1 : 2);
  // Also choices of a shared view or a link that the user may not see, or that are gone.
  const more = chosen.length - named.length;
  return named.join(', ') + (more ? ` +${more}` : '');
}

function Chip({
  filter,
  value,
  onChange,
}: {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const [opener, setOpener] = useState<HTMLElement>();
  // The press is drawn first. A calendar takes longer.
  const open = (button: HTMLElement) => startTransition(() => setOpener(button));
  const close = () => setOpener(undefined);
  const shown = value ?? (filter.kind === 'custom' ? filter.standard : undefined);
  return (
    <div className={classes.chip} data-set={value ? true : undefined}>
      <button
        type="button"
        onClick={event => open(event.currentTarget)}
        aria-haspopup="dialog"
        aria-expanded={opener !== undefined}
      >
        {shown === undefined && <IconPlus size={14} aria-hidden />}
        {filter.label}
        {shown !== undefined && <strong>{describe(filter, shown)}</strong>}
      </button>
      {value && (
        <button
          type="button"
          onClick={() => onChange(undefined)}
          aria-label={t('list.removeFilter', { name: filter.label })}
        >
          <IconX size={14} aria-hidden />
        </button>
      )}
      {opener && <FilterPopover filter={filter} value={value} button={opener} onChange={onChange} onClose={close} />}
    </div>
  );
}
