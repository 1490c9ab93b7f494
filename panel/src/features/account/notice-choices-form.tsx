import { NativeSelect, SegmentedControl, Select } from '@mantine/core';
import type { NoticeChoices } from '@portico/contract/notice-choices.ts';
import { type ChosenKind, type NoticeWay, noticeWays } from '@portico/contract/notice-kinds.ts';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/notice-choices.module.css';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { useStoredValues } from '#ui/keep-typed.ts';
import { useLocationChoices } from '#ui/location-field.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { TimeZoneField } from '#ui/time-zone-field.tsx';

type Ways = Partial<Record<ChosenKind, NoticeWay>>;
type Places = Record<string, { name: string; ways: Ways }>;

const groups = {
  devices: [
    'device_offline',
    'device_online',
    'commands_waiting',
    'failed_sign_ins',
    'certificate_ending',
    'login_host_refused',
    'controller_failing',
    'controller_recovered',
  ],
  records: ['log_chain_broken', 'log_silence', 'log_lines_quarantined'],
  licences: [
    'license_ending',
    'license_over',
    'license_requested',
    'location_suspended',
    'location_resumed',
    'customer_given',
  ],
  team: ['invitation_accepted', 'invitation_denied'],
  integrations: ['integration_failing', 'integration_recovered', 'webhooks_left', 'sms_limit'],
  tenant: ['mail_limit', 'domain_unproven', 'domain_stopped', 'clock_doubted'],
} as const satisfies Record<string, readonly ChosenKind[]>;
const groupNames = Object.keys(groups) as (keyof typeof groups)[];

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

const waysOf = (choices: readonly { kind: ChosenKind; way: NoticeWay }[]): Ways =>
  Object.fromEntries(choices.map(({ kind, way }) => [kind, way]));
const valuesOf = (stored: NoticeChoices) => ({
  hour: stored.digest_hour,
  zone: stored.time_zone,
  ways: waysOf(stored.choices),
  places: Object.fromEntries(
    stored.locations.map(({ location, choices }) => [location.id, { name: location.name, ways: waysOf(choices) }]),
  ) as Places,
});

/** The same for the same choices, however they were made. */
function bodyOf(stored: NoticeChoices, { hour, zone, ways, places }: ReturnType<typeof valuesOf>) {
  const listOf = (of: Ways) => stored.choices.flatMap(({ kind }) => (of[kind] ? [{ kind, way: of[kind] }] : []));
  const standard = waysOf(stored.choices.map(it => ({ kind: it.kind, way: it.default })));
  return {
    digest_hour: hour,
    time_zone: zone,
    // Choices that equal the default are not stored.
    choices: listOf(ways).filter(({ kind, way }) => way !== standard[kind]),
    locations: Object.entries(places)
      .map(([location_id, it]) => ({ location_id, choices: listOf(it.ways) }))
      .filter(({ choices }) => choices.length > 0)
      .sort((a, b) => a.location_id.localeCompare(b.location_id)),
  };
}

interface Props {
  stored: NoticeChoices;
  /** The id of the location that is shown; empty: all. */
  place: string;
  setPlace: (id: string) => void;
}

export function NoticeChoicesForm({ stored, place, setPlace }: Props) {
  const { t } = useTranslation('notice-choices');
  const [values, setValues] = useState(() => valuesOf(stored));
  const { beginSave, endSave } = useStoredValues({
    version: JSON.stringify(stored),
    stored: valuesOf(stored),
    read: () => values,
    onNewVersion: (_, shown) => setValues(shown),
  });
  const locations = useLocationChoices();
  const save = useChange({
    send: (it: typeof values) => call(api.noticeChoices.update, { body: bodyOf(stored, it) }),
    refresh: [api.noticeChoices.show],
    done: t('saved'),
  });
  if (!stored.choices.length) return <p className={classes.note}>{t('none')}</p>;

  const different = Object.entries(values.places).filter(([, { ways }]) => Object.keys(ways).length > 0);
  const nameOf = (id: string) => locations.data.find(({ value }) => value === id)?.label ?? values.places[id]?.name;
  const here = values.places[place]?.ways ?? {};
  const choose = (kind: ChosenKind, way: NoticeWay | 'same') => {
    if (!place && way !== 'same') return setValues({ ...values, ways: { ...values.ways, [kind]: way } });
    const { [kind]: _, ...others } = here;
    const ways = way === 'same' ? others : { ...others, [kind]: way };
    setValues({ ...values, places: { ...values.places, [place]: { name: nameOf(place) ?? '', ways } } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    beginSave(values);
    save.mutate(values, { onSettled: (_, error) => endSave(!error) });
  };
  const kinds = new Set(stored.choices.flatMap(it => (!place || it.per_location ? [it.kind] : [])));
  const known = locations.data.some(({ value }) => value === place);
  return (
    <form onSubmit={submit}>
      <Card title={t('ways')} description={t('waysHelp')}>
        {(locations.data.length > 1 || different.length > 0) && (
          <Select
            className={classes.where ?? ''}
            label={t('where')}
            allowDeselect={false}
            {...locations}
            data={[
              { value: '', label: t('everywhere') },
              ...locations.data,
              ...(place && !known ? [{ value: place, label: nameOf(place) ?? '' }] : []),
            ]}
            value={place}
            onChange={id => setPlace(id ?? '')}
          />
        )}
        {different.length > 0 && (
          <p className={classes.different}>
            {t('different')}
            {different.map(([id, { name }]) => (
              <button key={id} type="button" onClick={() => setPlace(id)}>
                {name}
              </button>
            ))}
          </p>
        )}
        {groupNames.map(group => {
          const shown = groups[group].filter(kind => kinds.has(kind));
          return shown.length ? (
            <section key={group} className={classes.group}>
              <h3>{t(`group.${group}`)}</h3>
              {shown.map(kind => (
                <Kind
                  key={kind}
                  name={t(`kind.${kind}`)}
                  way={place ? (here[kind] ?? 'same') : (values.ways[kind] ?? 'bell')}
                  ways={place ? ['same', ...noticeWays] : noticeWays}
                  onChange={way => choose(kind, way)}
                />
              ))}
            </section>
          ) : null;
        })}
        {place && <p className={classes.note}>{t('ofTenant')}</p>}
      </Card>
      <Card title={t('daily')} description={t('dailyHelp')}>
        <div className={layout.two}>
          <NativeSelect
            label={t('hour')}
            data={hours}
            value={String(values.hour)}
            onChange={event => setValues({ ...values, hour: Number(event.currentTarget.value) })}
          />
          <TimeZoneField
            label={t('zone')}
            none={t('zoneOfLocation')}
            value={values.zone ?? ''}
            onChange={event => setValues({ ...values, zone: event.currentTarget.value || null })}
          />
        </div>
      </Card>
      <SaveBar
        dirty={JSON.stringify(bodyOf(stored, values)) !== JSON.stringify(bodyOf(stored, valuesOf(stored)))}
        pending={save.isPending}
        onDiscard={() => setValues(valuesOf(stored))}
      />
    </form>
  );
}

interface KindProps {
  name: string;
  way: NoticeWay | 'same';
  ways: readonly (NoticeWay | 'same')[];
  onChange: (way: NoticeWay | 'same') => void;
}

function Kind({ name, way, ways, onChange }: KindProps) {
  const { t } = useTranslation('notice-choices');
  const label = useId();
  return (
    <div className={classes.kind}>
      <span id={label}>{name}</span>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-labelledby={label}
        data={ways.map(value => ({ value, label: t(`way.${value}`) }))}
        value={way}
        onChange={value => onChange(value as NoticeWay | 'same')}
      />
    </div>
  );
}
