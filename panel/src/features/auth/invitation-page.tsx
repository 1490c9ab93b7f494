import { Button } from '@mantine/core';
import type { AuthUser } from '@portico/contract/auth.ts';
import type { InvitationInfo, teamApi } from '@portico/contract/team.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { DenyInvitation } from '#features/auth/invitation-deny.tsx';
import { InvitationJoin } from '#features/auth/invitation-join.tsx';
import { InvitationSignIn } from '#features/auth/invitation-sign-in.tsx';
import { InvitationSignedIn } from '#features/auth/invitation-signed-in.tsx';
import { type Said, saidBy } from '#features/auth/said.ts';
import { signedInUser } from '#features/auth/signed-in-user.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { Waiting } from '#features/auth/waiting.tsx';
import { ApiError, address, call } from '#lib/client.ts';

const show = address<typeof teamApi.show>('GET', '/v1/team/invitation/:token');

type State =
  | { at: 'loading' }
  | { at: 'unknown' }
  | { at: 'failed'; message: Said }
  | { at: 'open'; invitation: InvitationInfo; user: AuthUser | undefined }
  | { at: 'over'; why: Exclude<InvitationInfo['status'], 'pending'>; location: string }
  | { at: 'denied' };

/** The target of an invitation link. The options depend on who is signed in. */
export function InvitationPage({ token }: { token: string }) {
  const { t } = useAuthTexts();
  const [state, setState] = useState<State>({ at: 'loading' });

  useEffect(() => {
    signedInUser()
      .then(async user => {
        const { data } = await call(show, { params: { token } });
        const { status } = data;
        setState(
          status === 'pending'
            ? { at: 'open', invitation: data, user }
            : { at: 'over', why: status, location: data.location.name },
        );
      })
      .catch(error => {
        if (error instanceof ApiError && error.status === 404) return setState({ at: 'unknown' });
        setState({ at: 'failed', message: error instanceof ApiError ? saidBy(error) : t('unreachable') });
      });
  }, [token, t]);

  switch (state.at) {
    case 'loading':
      return (
        <AuthLayout title={t('invitation.loading')}>
          <Waiting />
        </AuthLayout>
      );
    case 'unknown':
      return <Over title={t('invitation.unknown')} text={t('invitation.unknownText')} />;
    case 'denied':
      return <Over title={t('invitation.deniedNow')} text={t('invitation.deniedNowText')} />;
    case 'over':
      return (
        <Over
          title={t(`invitation.over.${state.why}`)}
          text={t(`invitation.overText.${state.why}`, { location: state.location })}
        />
      );
    case 'failed':
      return (
        <AuthLayout title={t('confirm.refused')}>
          <FormProblem text={state.message} />
          <Button variant="default" fullWidth mt={20} onClick={() => location.reload()}>
            {t('common:retry')}
          </Button>
        </AuthLayout>
      );
    case 'open':
      return <Open token={token} {...state} onDenied={() => setState({ at: 'denied' })} />;
  }
}

interface OpenProps {
  token: string;
  invitation: InvitationInfo;
  user: AuthUser | undefined;
  onDenied: () => void;
}

function Open({ token, invitation, user, onDenied }: OpenProps) {
  const { t } = useAuthTexts();
  const { location, invited_by, email, has_account } = invitation;
  const lead = invited_by
    ? t('invitation.leadBy', { name: invited_by, location: location.name })
    : t('invitation.lead', { location: location.name });
  const isOther = user !== undefined && user.email.toLowerCase() !== email.toLowerCase();
  let offer: ReactNode = <InvitationJoin token={token} invitation={invitation} />;
  if (user) offer = <InvitationSignedIn token={token} invitation={invitation} user={user} />;
  else if (has_account) offer = <InvitationSignIn token={token} email={email} />;
  return (
    <AuthLayout title={t('invitation.title', { location: location.name })} lead={lead}>
      {offer}
      {!isOther && <DenyInvitation token={token} location={location.name} onDenied={onDenied} />}
    </AuthLayout>
  );
}

function Over({ title, text }: { title: string; text: string }) {
  const { t } = useAuthTexts();
  return (
    <AuthLayout title={title} lead={text}>
      <Button fullWidth variant="default" onClick={() => location.assign('/')}>
        {t('invitation.toPanel')}
      </Button>
    </AuthLayout>
  );
}
