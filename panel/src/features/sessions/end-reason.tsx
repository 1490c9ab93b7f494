import type { SessionRow } from '@portico/contract/sessions.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/sessions/sessions.module.css';

/** Why a session ended, below its end. */
export function EndReason({ session }: { session: Pick<SessionRow, 'close_reason'> }) {
  const { t } = useTranslation('sessions');
  return session.close_reason && <small className={classes.reason}>{t(`closeReason.${session.close_reason}`)}</small>;
}
