import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/locations/setting-row.module.css';

interface Props {
  label: string;
  help: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
  /** The text while it is off, by default `Unlimited`. */
  off?: string;
  children: ReactNode;
}

/** A setting with a switch; its fields are visible only while it is on. */
export function SettingRow({ label, help, on, onSwitch, off, children }: Props) {
  const { t } = useTranslation('limit');
  return (
    <div className={classes.row}>
      <div className={classes.head}>
        <Switch
          label={label}
          description={help}
          checked={on}
          onChange={event => onSwitch(event.currentTarget.checked)}
        />
        {!on && <span className={classes.off}>{off ?? t('unlimited')}</span>}
      </div>
      {on && <div className={classes.body}>{children}</div>}
    </div>
  );
}
