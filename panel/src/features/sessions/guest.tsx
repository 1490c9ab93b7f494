import { useTranslation } from 'react-i18next';
import classes from '#features/sessions/sessions.module.css';

interface Props {
  name: string | null;
  client: { room_number: string | null; provider_type: string } | null;
}

/** The name of a guest, with the room of hotel guests. Devices that need no sign-in have no name. */
export function Guest({ name, client }: Props) {
  const { t } = useTranslation('sessions');
  if (!name) return <span className={classes.faint}>{t(client ? 'erased' : 'noSignIn')}</span>;
  if (!client?.room_number) return name;
  return (
    <span>
      {name} <span className={classes.faint}>{t('room', { room: client.room_number })}</span>
    </span>
  );
}
