import { Button } from '@mantine/core';
import { localClock, maxPeriods, periodState } from '@portico/contract/period-days.ts';
import type { PortalPeriod, ShownPeriod } from '@portico/contract/portal-periods.ts';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/periods/periods.module.css';
import { formatLocalTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Card } from '#ui/card.tsx';
import { choices } from '#ui/choices.ts';

// Few locations and devices have periods, and the fields need a calendar.
const PeriodFields = lazyPart(() => import('#features/portals/periods/period-fields.tsx'), 'PeriodFields', 'in-place');

interface Named {
  id: string;
  name: string;
}

interface Props {
  values: readonly PortalPeriod[];
  /** The saved periods. They tell which portal is shown now. */
  saved: readonly ShownPeriod[];
  onChange: (values: PortalPeriod[]) => void;
  errors: Readonly<Record<string, unknown>>;
  /** The portals that can be chosen. */
  portals: readonly Named[];
  timeZone: string;
  /** Shown when no period of this list runs: the periods of the location, and its portal. */
  otherwise: { readonly portal: Named | null; readonly periods: readonly ShownPeriod[] };
  /** The owner of the periods. */
  help: 'location' | 'device';
}

const blank = { starts_on: null, ends_on: null, weekdays: null, from_time: null, to_time: null };

/** When another portal is shown, and which one is shown now and next. */
export function PeriodsCard({ values, onChange, errors, portals, help, ...shown }: Props) {
  const { t } = useTranslation('portal-periods');
  const set = (i: number, change: Partial<PortalPeriod>) =>
    onChange(values.map((it, at) => (at === i ? { ...it, ...change } : it)));
  const known = (id: string) => shown.saved.find(it => it.portal_id === id)?.portal ?? null;
  return (
    <Card title={t('title')} description={t(`${help}Help`)}>
      {(shown.saved[0] ?? shown.otherwise.periods[0]) && <ShownPortal {...shown} />}
      <ol className={classes.list}>
        {values.map((it, i) => (
          // Periods have no identity of their own; the list is changed at its end and by removal only.
          <li key={i} className={classes.period}>
            <PeriodFields
              period={it}
              place={i + 1}
              portals={choices(portals, known(it.portal_id))}
              onChange={change => set(i, change)}
              onRemove={() => onChange(values.filter((_, at) => at !== i))}
              errorOf={key => errors[`portal_periods.${i}.${key}`] as string | undefined}
            />
          </li>
        ))}
      </ol>
      {values.length < maxPeriods && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...values, { ...blank, portal_id: '' }])}
        >
          {t('add')}
        </Button>
      )}
    </Card>
  );
}

/** The portal that is shown now, until when, and the next change. */
function ShownPortal({ saved, timeZone, otherwise }: Pick<Props, 'saved' | 'timeZone' | 'otherwise'>) {
  const { t } = useTranslation('portal-periods');
  const clock = localClock(timeZone);
  // The own periods come first, so that one of the location is seen only while none of these runs.
  const all = [...saved, ...otherwise.periods].map(it => ({ ...it, ...periodState(it, clock) }));
  const running = all.find(it => it.now);
  const portal = running ? running.portal : otherwise.portal;
  const portalAt = (time: string) => (all.find(it => periodState(it, time).now) ?? otherwise).portal;
  const change = all
    .flatMap(it => [it.until, it.next])
    .filter(it => it !== null)
    .sort()
    .find(time => portalAt(time)?.id !== portal?.id);
  return (
    <dl className={classes.shown}>
      <div>
        <dt>{t('now')}</dt>
        <dd>
          <b>{portal?.name ?? t('none')}</b>
          {running?.until && ` ${t('until', { time: formatLocalTime(running.until) })}`}
        </dd>
      </div>
      {change && (
        <div>
          <dt>{t('next')}</dt>
          <dd>
            <b>{portalAt(change)?.name ?? t('none')}</b> {t('from', { time: formatLocalTime(change) })}
          </dd>
        </div>
      )}
    </dl>
  );
}
