import type { ReportMail, reportMailForm } from '@portico/contract/report-mails.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

type Fields = z.input<typeof reportMailForm>;
const refresh = [api.reportMails.list];

export const useReportMails = (search: ListSearch) =>
  useList(queryOf(api.reportMails.list, { query: { ...pagingOf(search) } }));

/** Creates an e-mail report, or updates the given one. */
export function useSaveReportMail(mail: ReportMail | undefined) {
  const { t } = useTranslation('report-mails');
  const send = (body: Fields) =>
    mail ? call(api.reportMails.update, { params: { id: mail.id }, body }) : call(api.reportMails.create, { body });
  return useChange({ send, refresh, done: t(mail ? 'updated' : 'created') });
}

export function useDeleteReportMail() {
  const { t } = useTranslation('report-mails');
  const send = ({ id }: ReportMail) => call(api.reportMails.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}
