import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { StatusDot } from '#ui/status-dot.tsx';

export function VisibilityStatus({ status }: { status: 0 | 1 }) {
  const { t } = useTranslation('qr-menu');
  return <StatusDot tone={status === 1 ? 'good' : 'idle'}>{t(status === 1 ? 'shown' : 'hidden')}</StatusDot>;
}

interface Props {
  /** Desks are not in the menu: their codes lead to it. */
  kind?: 'item' | 'desk';
  value?: 0 | 1;
  onChange?: (status: 0 | 1) => void;
}

export function ShownSwitch({ kind = 'item', value = 1, onChange }: Props) {
  const { t } = useTranslation('qr-menu');
  return (
    <Switch
      label={t(kind === 'desk' ? 'showDesk' : 'show')}
      description={t(kind === 'desk' ? 'deskHelp' : 'statusHelp')}
      checked={value === 1}
      onChange={event => onChange?.(event.currentTarget.checked ? 1 : 0)}
    />
  );
}
