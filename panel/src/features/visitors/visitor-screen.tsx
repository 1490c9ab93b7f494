import type { Visitor } from '@portico/contract/visitors.ts';
import { useParams } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeLeft } from '#features/visitors/use-time-left.ts';
import { VisitorActions } from '#features/visitors/visitor-actions.tsx';
import { VisitorState } from '#features/visitors/visitor-state.tsx';
import { useVisitor } from '#features/visitors/visitors.api.ts';
import { api } from '#lib/api.ts';
import { formatBytes, formatDate, formatDateTime, formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';
import { Card } from '#ui/card.tsx';
import { EmailText } from '#ui/email-text.tsx';
import { type Fact, Facts } from '#ui/facts.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

/** The layout of every screen of a visitor: header, actions and tabs. */
export function VisitorScreen({ children }: { children: (visitor: Visitor) => ReactNode }) {
  const { t } = useTranslation(['visitor', 'visitors']);
  const can = useCan();
  const { visitorId = '' } = useParams({ strict: false });
  const query = useVisitor(visitorId);
  useLive('visitors', api.visitors.get);
  useLive('sessions', api.visitors.get, api.visitorPage.sessions, api.visitorPage.devices);
  const parent = { to: '/visitors', label: t('visitors:title') };
  if (query.error && !query.data)
    return <LoadError error={query.error} onRetry={() => void query.refetch()} parent={parent} />;
  const visitor = query.data?.data;
  const base = `/visitors/${visitorId}`;
  const tabs = [
    { to: base, label: t('sessions') },
    { to: `${base}/devices`, label: t('devices') },
    { to: `${base}/sales`, label: t('sales') },
    { to: `${base}/consents`, label: t('consents') },
    { to: `${base}/failed-logins`, label: t('attempts') },
  ];
  return (
    <>
      <PageHeader
        title={visitor ? visitor.name || t('visitors:erased') : '…'}
        description={visitor && <VisitorState visitor={visitor} />}
        parent={parent}
        tabs={tabs}
      >
        {visitor && !visitor.erased_at && can('update-clients') && <VisitorActions visitor={visitor} />}
      </PageHeader>
      {visitor ? children(visitor) : <FormSkeleton fields={4} />}
    </>
  );
}

/** The remaining limits of the visitor, without limits that are off. */
function balanceFacts(
  { seconds, seconds_today, seconds_total, bytes, bytes_today, bytes_total, devices }: Visitor['balance'],
  time: (seconds: number) => string,
  t: TFunction<['visitor', 'visitors', 'common']>,
): (Fact | false)[] {
  return [
    seconds !== null && { label: t('left.seconds'), value: time(seconds) },
    seconds_today !== null && { label: t('left.secondsToday'), value: time(seconds_today) },
    seconds_total !== null && { label: t('left.secondsTotal'), value: time(seconds_total) },
    bytes !== null && { label: t('left.bytes'), value: formatBytes(bytes) },
    bytes_today !== null && { label: t('left.bytesToday'), value: formatBytes(bytes_today) },
    bytes_total !== null && { label: t('left.bytesTotal'), value: formatBytes(bytes_total) },
    { label: t('left.devices'), value: formatNumber(devices) },
  ];
}

/** The facts about a visitor, without empty fields. */
export function VisitorFacts({ visitor }: { visitor: Visitor }) {
  const { t } = useTranslation(['visitor', 'visitors', 'common']);
  const time = useTimeLeft();
  const { session_start_at: from, session_end_at: until, location } = visitor;
  const screenZone = useUser().time_zone;
  const moment = (time: string) => formatDateTime(time, location.time_zone);
  const facts: (Fact | false)[] = [
    {
      label: t('visitors:method'),
      value: visitor.erased_at
        ? t(`visitors:provider.${visitor.provider_type}`)
        : `${t(`visitors:provider.${visitor.provider_type}`)} · ${visitor.provider_id ?? t('visitors:notSignedIn')}`,
    },
    {
      label: t('common:location'),
      value: location.time_zone === screenZone ? location.name : `${location.name} · ${location.time_zone}`,
    },
    {
      label: t('visitors:profile'),
      value: visitor.special_profile ? t('visitors:own') : (visitor.profile?.name ?? t('visitors:locationProfile')),
    },
    from !== null && { label: t('visitors:from'), value: moment(from) },
    // Paid days that have not begun have an end, which is not known yet.
    (until !== null || visitor.total_paid_day === 0) && {
      label: t('visitors:until'),
      value: until ? moment(until) : t('unlimited'),
    },
    visitor.total_paid_day > 0 && { label: t('visitors:paidDays'), value: String(visitor.total_paid_day) },
    visitor.total_paid_day > 0 && {
      label: t('paidUntil'),
      value: visitor.paid_end_at ? moment(visitor.paid_end_at) : t('notBegun'),
    },
    ...balanceFacts(visitor.balance, time, t),
    visitor.email !== null && { label: t('visitors:email'), value: <EmailText email={visitor.email} /> },
    visitor.phone !== null && { label: t('visitors:phone'), value: visitor.phone },
    visitor.room_number !== null && { label: t('visitors:room'), value: visitor.room_number },
    { label: t('visitors:createdAt'), value: formatDate(visitor.created_at) },
  ];
  return (
    <Card
      {...(visitor.erased_at && {
        title: t('visitors:state.erased'),
        description: t('erasedText', { date: formatDate(visitor.erased_at) }),
      })}
    >
      <Facts facts={facts.filter(fact => fact !== false)} />
    </Card>
  );
}
