import { useTranslation } from 'react-i18next';
import { formatBytes } from '#lib/format.ts';

interface Props {
  session: { readonly upload: number; readonly download: number; readonly figures_reported: boolean };
  of: 'upload' | 'download';
  format?: (bytes: number) => string;
}

/** The bytes of a session. A gateway that reports nothing has not measured 0. */
export function UsedBytes({ session, of, format = formatBytes }: Props) {
  const { t } = useTranslation();
  return session.figures_reported ? format(session[of]) : <small>{t('notReported')}</small>;
}
