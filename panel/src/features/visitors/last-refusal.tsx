import { Button } from '@mantine/core';
import type { VisitorAttempt } from '@portico/contract/visitor-page.ts';
import type { Visitor } from '@portico/contract/visitors.ts';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReason } from '#features/dashboard/public.ts';
import { useAttemptsOf, useResume, useSessionsOf } from '#features/visitors/visitor-page.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { Notice } from '#ui/notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const ExtendDialog = lazyPart(() => import('#features/visitors/extend-dialog.tsx'), 'ExtendDialog');
const VisitorDialog = lazyPart(() => import('#features/visitors/visitor-dialog.tsx'), 'VisitorDialog');

/** An older attempt says nothing about now. */
const recentMs = 7 * 86_400_000;

const deviceScreens = {
  blocked: '/devices/$deviceId/macs',
  hotspot_off: '/devices/$deviceId',
  license_over: '/devices/$deviceId/license',
} as const;

/** Other causes lie outside the visitor, such as a full SMS limit or a mistyped code. */
const mendedByEdit = [
  'expired',
  'not_yet',
  'over_quota',
  'over_time',
  'wrong_credentials',
  'free_over',
  'voucher_over',
];

/** A router that asks by RADIUS is told `blocked` for both: a paused visitor, and a blocked device. */
const isPaused = (reason: string, visitor: Visitor) => visitor.blocked && ['paused', 'blocked'].includes(reason);

/** The time or the data of the visitor in total is used up. An end of the access that has passed is another cause of `expired`. */
const isUsedUp = ({ balance }: Visitor) => balance.seconds_total === 0 || balance.bytes_total === 0;

/** Whether the cause has gone since the attempt. Other causes are known to be gone only when the guest is online again. */
function isMended({ reason, created_at: at }: VisitorAttempt, visitor: Visitor, now: number): boolean {
  const { session_start_at: start, session_end_at: end, balance } = visitor;
  switch (reason) {
    case 'paused':
      return !visitor.blocked;
    case 'blocked':
    case 'wrong_credentials':
      return !visitor.blocked && Date.parse(visitor.updated_at) > Date.parse(at);
    case 'expired':
      return (end === null || Date.parse(end) > now) && !isUsedUp(visitor);
    case 'not_yet':
      return start === null || Date.parse(start) <= now;
    case 'over_quota':
      return balance.bytes !== 0;
    case 'over_time':
      return balance.seconds !== 0;
    // While the location is out of service, another notice says so.
    case 'suspended':
      return true;
    case 'license_over':
      return visitor.service !== 'running';
    default:
      return false;
  }
}

type Dialog = 'extend' | 'edit';

/** The dialogs stand beside the notice: a live refresh can take the notice away while the user types. */
export function LastRefusal({ visitor }: { visitor: Visitor }) {
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  return (
    <>
      <RefusalNotice visitor={visitor} onOpen={setDialog} />
      {dialog === 'extend' && <ExtendDialog visitor={visitor} onClose={close} />}
      {dialog === 'edit' && <VisitorDialog id={visitor.id} onClose={close} />}
    </>
  );
}

interface NoticeProps {
  visitor: Visitor;
  onOpen: (dialog: Dialog) => void;
}

/** Why the visitor could not sign in lately, where, and what mends it. Nothing once the guest was online again. */
function RefusalNotice({ visitor, onOpen }: NoticeProps) {
  const { t } = useTranslation('visitor');
  const reason = useReason();
  const attempt = useAttemptsOf(visitor.id, { per_page: '1' }).data?.data[0];
  const sessions = useSessionsOf(visitor.id, {}).data?.data;
  const now = Date.now();
  const at = attempt ? Date.parse(attempt.created_at) : 0;
  const isOver = sessions?.some(it => Date.parse(it.started_at) > at) ?? true;
  if (!attempt || isOver || now - at > recentMs || isMended(attempt, visitor, now)) return null;
  const why = isPaused(attempt.reason, visitor) ? { ...attempt, reason: 'paused' } : attempt;
  const named = why.reason === 'expired' && isUsedUp(visitor) ? t('usedUp') : reason(why);
  return (
    <Notice
      tone="warn"
      title={t('refused', { reason: named })}
      action={<Remedy visitor={visitor} attempt={attempt} onOpen={onOpen} />}
    >
      {why.reason === 'blocked' && attempt.client_mac && `${attempt.client_mac} · `}
      {attempt.device && `${attempt.device.name} · `}
      <RelativeTime time={attempt.created_at} />
    </Notice>
  );
}

interface RemedyProps extends NoticeProps {
  attempt: VisitorAttempt;
}

/** The button that mends the cause, for those who may. */
function Remedy({ visitor, attempt: { reason, device }, onOpen }: RemedyProps) {
  const { t } = useTranslation(['visitor', 'common', 'dashboard']);
  const can = useCan();
  const resume = useResume();
  if (reason === 'over_limit')
    return can('view-basic-stats') ? (
      <LinkButton label={t('showOnline')} to={{ to: '/online', search: { search: visitor.name } }} />
    ) : null;
  const ofDevice = reason in deviceScreens && !isPaused(reason, visitor);
  if (ofDevice)
    return device && can('view-devices') ? (
      <LinkButton
        label={t('dashboard:openDevice')}
        to={{ to: deviceScreens[reason as keyof typeof deviceScreens], params: { deviceId: device.id } }}
      />
    ) : null;
  if (!can('update-clients') || visitor.erased_at) return null;
  const button = (label: string, onClick: () => void) => (
    <Button size="xs" variant="default" loading={resume.isPending} onClick={onClick}>
      {label}
    </Button>
  );
  if (isPaused(reason, visitor)) return button(t('resume'), () => resume.mutate(visitor.id));
  if (reason === 'expired' && !isUsedUp(visitor)) return button(t('extend'), () => onOpen('extend'));
  return mendedByEdit.includes(reason) ? button(t('common:edit'), () => onOpen('edit')) : null;
}

const LinkButton = ({ label, to }: { label: string; to: LinkProps }) => (
  <Button size="xs" variant="default" renderRoot={props => <Link {...to} {...props} />}>
    {label}
  </Button>
);
