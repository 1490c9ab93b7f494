import { Button, MultiSelect, TextInput } from '@mantine/core';
import { formatMac } from '@portico/contract/mac.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DialogFilter } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dialogs.module.css';
import { typedAs } from '#ui/typed-as.ts';

const ipPart = (typed: string) => typed.replace(/[^\d.]/g, '').slice(0, 15);

export const noFilter: DialogFilter = { mac: '', ip: '', typed: '', devices: [], page: 1 };

interface Props {
  /** The options of the device filter; without them it is hidden. */
  devices?: readonly { id: string; name: string }[];
  /** The MAC address that is shown first. */
  mac?: string | undefined;
  /** The typed name that is shown first; without it, its field is hidden. */
  typed?: string | undefined;
  onFilter: (filter: DialogFilter) => void;
}

/** Filters by part of a MAC or IP address and by devices, once Filter is clicked. */
export function DialogFilterForm({ devices = [], mac = '', typed: typedFirst, onFilter }: Props) {
  const { t } = useTranslation(['sessions', 'common', 'dashboard']);
  const [typed, setTyped] = useState({ ...noFilter, mac, typed: typedFirst ?? '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFilter(typed);
  };
  const label = t('device');
  return (
    <form className={classes.filter} role="search" aria-label={t('common:list.filter')} onSubmit={submit}>
      <TextInput
        label={t('mac')}
        placeholder="A1:B2"
        value={typed.mac}
        onChange={event => setTyped({ ...typed, mac: typedAs(formatMac, event.currentTarget) })}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label={t('ip')}
        placeholder="10.5."
        inputMode="decimal"
        value={typed.ip}
        onChange={event => setTyped({ ...typed, ip: typedAs(ipPart, event.currentTarget) })}
        autoComplete="off"
      />
      {typedFirst !== undefined && (
        <TextInput
          label={t('dashboard:typedName')}
          maxLength={255}
          value={typed.typed}
          onChange={event => setTyped({ ...typed, typed: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {devices.length > 1 && (
        <MultiSelect
          label={label}
          data={devices.map(({ id, name }) => ({ value: id, label: name }))}
          value={typed.devices}
          onChange={chosen => setTyped({ ...typed, devices: chosen })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('common:clear') }}
        />
      )}
      <Button type="submit" variant="default">
        {t('common:list.filter')}
      </Button>
    </form>
  );
}
