import { concerns } from '@portico/contract/customer-kinds.ts';
import { IconCalendarDue, IconMessage, IconRouterOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/customers/overview.module.css';
import { formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';

const icons = { ending: IconCalendarDue, offline: IconRouterOff, sms: IconMessage } as const;

interface Props {
  totals: Record<(typeof concerns)[number], number> | undefined;
  /** Whether licences are shown. */
  licensed: boolean;
}

/** The number of customers per problem. A click filters the list by it. */
export function ConcernCards({ totals, licensed }: Props) {
  const { t } = useTranslation('customers');
  const [search, change] = useListSearch();
  return (
    <fieldset className={classes.concerns} aria-label={t('overview.concerns')}>
      {concerns
        .filter(concern => licensed || concern !== 'ending')
        .map(concern => {
          const Icon = icons[concern];
          const on = search.concern === concern;
          return (
            <button
              key={concern}
              type="button"
              aria-pressed={on}
              onClick={() => change({ concern: on ? undefined : concern })}
            >
              <Icon size={20} stroke={1.6} aria-hidden />
              <span>{t(`overview.concern.${concern}`)}</span>
              <b>{totals ? formatNumber(totals[concern]) : '–'}</b>
            </button>
          );
        })}
    </fieldset>
  );
}
