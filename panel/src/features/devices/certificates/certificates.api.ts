import type { certificateForm, DeviceCertificate } from '@portico/contract/device-certificates.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute, useLive } from '#lib/use-live.ts';

const { certificates } = api.devices;

export function useCertificates(id: string, search: ListSearch) {
  useLive('device-certificates', certificates.list);
  return useList({
    ...queryOf(certificates.list, { params: { id }, query: { ...pagingOf(search) } }),
    ...everyMinute,
  });
}

export function useIssueCertificate(id: string) {
  const { t } = useTranslation('devices');
  const send = (body: z.input<typeof certificateForm>) => call(certificates.issue, { params: { id }, body });
  return useChange({ send, refresh: [certificates.list], done: t('radsec.issued') });
}

export function useRevokeCertificate(id: string) {
  const { t } = useTranslation('devices');
  const send = (certificate: DeviceCertificate) =>
    call(certificates.revoke, { params: { id, certificateId: certificate.id } });
  return useChange({ send, refresh: [certificates.list], done: t('radsec.revoked') });
}
