import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Missing, missingSummary } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/texts/advanced.module.css';
import { useListSearch } from '#lib/search.ts';
import { moved, SortableList } from '#ui/sortable-list.tsx';

const sections = ['kvkk', 'selling', 'general_usage', 'marketing'] as const;
export type Section = (typeof sections)[number];

const orderKey = 'portico.portal-sections';

/** This user's order of the sections. It changes nothing for guests. */
function storedOrder(): Section[] {
  try {
    const stored = (localStorage.getItem(orderKey) ?? '').split(',') as Section[];
    return stored.length === sections.length && sections.every(it => stored.includes(it)) ? stored : [...sections];
  } catch {
    return [...sections];
  }
}

function storeOrder(order: readonly Section[]): void {
  try {
    localStorage.setItem(orderKey, order.join(','));
  } catch {
    // Without storage, the order lasts until the page is closed.
  }
}

/** The open section, which is part of the address. */
export function useSection(): readonly [Section, (section: Section) => void] {
  const [search, change] = useListSearch();
  const section = sections.find(it => it === search.section) ?? storedOrder()[0] ?? 'kvkk';
  return [section, next => change({ section: next })];
}

interface Props {
  value: Section;
  onChange: (section: Section) => void;
  missing: Record<Section, Missing>;
  readOnly: boolean;
}

export function SectionNav({ value, onChange, missing, readOnly }: Props) {
  const { t } = useTranslation('portal-editor');
  const [order, setOrder] = useState(storedOrder);
  const move = (from: number, to: number) => {
    const next = moved(order, from, to);
    storeOrder(next);
    setOrder(next);
  };
  return (
    <nav className={classes.nav} aria-label={t('tab.advanced')}>
      <SortableList
        label={t('tab.advanced')}
        items={order}
        keyOf={it => it}
        nameOf={it => t(`section.${it}`)}
        onMove={move}
        disabled={readOnly}
      >
        {(section, _, handle) => (
          <div className={classes.entry} data-on={section === value || undefined}>
            <button
              type="button"
              aria-current={section === value ? 'page' : undefined}
              onClick={() => onChange(section)}
            >
              <span>{t(`section.${section}`)}</span>
              {missing[section].size > 0 && (
                <small>
                  {t('missing')}: {missingSummary(missing[section])}
                </small>
              )}
            </button>
            {handle}
          </div>
        )}
      </SortableList>
    </nav>
  );
}
