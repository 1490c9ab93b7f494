import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import classes from '#ui/pagination.module.css';

export interface PageMeta {
  current_page: number;
  from: number | null;
  to: number | null;
  last_page: number;
  total: number;
}

/** First, last and the neighbours of the page. A gap stands for at least two pages. */
function shownPages(current: number, last: number): (number | 'gap')[] {
  const near = new Set([1, last, current - 1, current, current + 1].filter(page => page >= 1 && page <= last));
  const sorted = [...near].sort((a, b) => a - b);
  return sorted.flatMap((page, i) => {
    const skipped = page - 1 - (sorted[i - 1] ?? 0);
    if (skipped === 0) return [page];
    return [skipped === 1 ? page - 1 : ('gap' as const), page];
  });
}

interface Props {
  meta: PageMeta;
  /** For dialogs, whose page is not in the address. */
  onPage?: ((page: number) => void) | undefined;
}

function useGoTo(onPage: Props['onPage'], replace = false): (page: number) => void {
  const [, change] = useListSearch();
  return page => {
    if (onPage) return onPage(page);
    change({ page: page === 1 ? undefined : String(page) }, replace);
    scrollTo({ top: 0 });
  };
}

/** Goes to the last page when the current one no longer exists, for example after a deletion. */
export function PageOutOfRange({ meta, onPage }: Props) {
  const go = useGoTo(onPage, true);
  useEffect(() => go(meta.last_page));
  return null;
}

/** The page is in the address, so that back, reload and shared links keep it. */
export function Pagination({ meta, onPage }: Props) {
  const { t } = useTranslation();
  const { current_page: current, last_page: last } = meta;
  const go = useGoTo(onPage);
  if (last <= 1) return null;
  return (
    <nav className={classes.pagination} aria-label={t('list.pages')}>
      <span className={classes.range}>
        {t('list.range', {
          from: formatNumber(meta.from ?? 0),
          to: formatNumber(meta.to ?? 0),
          total: formatNumber(meta.total),
        })}
      </span>
      <div className={classes.pages}>
        <button type="button" disabled={current <= 1} onClick={() => go(current - 1)} aria-label={t('list.previous')}>
          <IconChevronLeft size={16} aria-hidden />
        </button>
        {shownPages(current, last).map((page, i) =>
          page === 'gap' ? (
            // biome-ignore lint: a gap has nothing but its place to be known by.
            <span key={`gap${i}`} aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={page}
              type="button"
              onClick={() => go(page)}
              aria-current={page === current ? 'page' : undefined}
              aria-label={t('list.page', { page })}
            >
              {formatNumber(page)}
            </button>
          ),
        )}
        <button type="button" disabled={current >= last} onClick={() => go(current + 1)} aria-label={t('list.next')}>
          <IconChevronRight size={16} aria-hidden />
        </button>
      </div>
    </nav>
  );
}
