import { ActionIcon, Button, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { localClock, maxPeriods, periodState } from '@portico/contract/period-days.ts';
import type { PortalPeriod, ShownPeriod } from '@portico/contract/portal-periods.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { weekdayName, weekdays } from '#features/portals/items/weekdays.ts';
import classes from '#features/portals/periods/periods.module.css';
import { formatLocalTime } from '#lib/format.ts';
import { Card } from '#ui/card.tsx';
import { choices } from '#ui/choices.ts';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';

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
export function PeriodsCard({ values, saved, onChange, errors, portals, timeZone, otherwise, help }: Props) {
  const { t } = useTranslation('portal-periods');
  const set = (i: number, change: Partial<PortalPeriod>) =>
    onChange(values.map((it, at) => (at === i ? { ...it, ...change } : it)));
  const errorOf = (i: number, key: string) => errors[`portal_periods.${i}.${key}`] as string | undefined;
  const known = (id: string) => saved.find(it => it.portal_id === id)?.portal ?? null;
  return (
    <Card title={t('title')} description={t(`${help}Help`)}>
      <Shown saved={saved} timeZone={timeZone} otherwise={otherwise} />
      <ol className={classes.list}>
        {values.map((it, i) => (
          // Periods have no identity of their own; the list is changed at its end and by removal only.
          <li key={i} className={classes.period}>
            <fieldset className={layout.fields} aria-label={t('period', { place: i + 1 })}>
              <div className={classes.head}>
                <NativeSelect
                  label={t('portal')}
                  data={[{ value: '', label: t('choose') }, ...choices(portals, known(it.portal_id))]}
                  value={it.portal_id}
                  onChange={event => set(i, { portal_id: event.currentTarget.value })}
                  error={errorOf(i, 'portal_id')}
                  withAsterisk
                />
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size={36}
                  onClick={() => onChange(values.filter((_, at) => at !== i))}
                  aria-label={t('remove', { place: i + 1 })}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </div>
              <div className={layout.two}>
                {(['starts_on', 'ends_on'] as const).map(key => (
                  <DateField
                    key={key}
                    type="date"
                    label={t(key)}
                    value={it[key] ?? ''}
                    onChange={value => set(i, { [key]: value || null })}
                    error={errorOf(i, key)}
                  />
                ))}
              </div>
              <MultiSelect
                label={t('weekdays')}
                placeholder={it.weekdays ? undefined : t('everyDay')}
                data={weekdays.map(day => ({ value: String(day), label: weekdayName(day) }))}
                value={it.weekdays?.map(String) ?? []}
                onChange={days =>
                  set(i, { weekdays: days.length ? weekdays.filter(day => days.includes(String(day))) : null })
                }
                error={errorOf(i, 'weekdays')}
              />
              <div className={layout.two}>
                {(['from_time', 'to_time'] as const).map(key => (
                  <TextInput
                    key={key}
                    label={t(key)}
                    placeholder="18:30"
                    maxLength={5}
                    value={it[key] ?? ''}
                    onChange={event => set(i, { [key]: event.currentTarget.value.trim() || null })}
                    error={errorOf(i, key)}
                  />
                ))}
              </div>
            </fieldset>
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

/** The portal that is shown now, until when, and the next change; without periods nothing. */
function Shown({ saved, timeZone, otherwise }: Pick<Props, 'saved' | 'timeZone' | 'otherwise'>) {
  const { t } = useTranslation('portal-periods');
  if (!saved.length && !otherwise.periods.length) return null;
  const clock = localClock(timeZone);
  const all = [...saved, ...otherwise.periods].map(it => ({ ...it, ...periodState(it, clock) }));
  const running = all.find(it => it.now);
  const portal = running ? running.portal : otherwise.portal;
  // The own periods come first, so that one of the location is seen only while none of these runs.
  const next = all
    .filter(it => it.next !== null)
    .sort((a, b) => (a.next! < b.next! ? -1 : 1))
    .at(0);
  return (
    <dl className={classes.shown}>
      <div>
        <dt>{t('now')}</dt>
        <dd>
          <b>{portal?.name ?? t('none')}</b>
          {running?.until && ` ${t('until', { time: formatLocalTime(running.until) })}`}
        </dd>
      </div>
      {next && (
        <div>
          <dt>{t('next')}</dt>
          <dd>
            <b>{next.portal.name}</b> {t('from', { time: formatLocalTime(next.next!) })}
          </dd>
        </div>
      )}
    </dl>
  );
}
