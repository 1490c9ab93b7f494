import { Button } from '@mantine/core';
import type { authApi } from '@portico/contract/auth.ts';
import { useEffect, useState } from 'react';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { type Said, saidBy } from '#features/auth/said.ts';
import { signedInUser } from '#features/auth/signed-in-user.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { Waiting } from '#features/auth/waiting.tsx';
import { ApiError, address, call } from '#lib/client.ts';
import { dropToken, signInPath, token } from '#lib/session.ts';

const confirmEmail = address<typeof authApi.confirmEmail>('POST', '/v1/visitor/confirm-email');

type State =
  | { at: 'asking' }
  | { at: 'done'; kind: 'visitor' | 'user' }
  | { at: 'signIn' }
  | { at: 'over'; message: string }
  | { at: 'refused'; message: Said };

/** Trying again helps only if the server was not reached or is busy. */
function refusalOf(error: unknown): State {
  if (!(error instanceof ApiError)) return { at: 'refused', message: '' };
  if (error.code === 'sign_in_to_confirm') return { at: 'signIn' };
  const message = Object.values(error.errors)[0]?.[0] ?? error.message;
  return error.status < 429 ? { at: 'over', message } : { at: 'refused', message: saidBy(error) };
}

/** Signs in with the account of the link, then comes back here. */
function signIn(): void {
  dropToken();
  location.assign(`${signInPath}?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** The target of a confirmation link, for a visitor's address or the address of a panel user. */
export function ConfirmEmailPage({ token: link }: { token: string }) {
  const { t } = useAuthTexts();
  const [state, setState] = useState<State>({ at: 'asking' });

  useEffect(() => {
    const email = new URLSearchParams(location.search).get('email');
    if (!email) {
      setState({ at: 'over', message: t('confirm.incomplete') });
      return;
    }
    // First, so that an expired session in this browser does not block the confirmation.
    signedInUser()
      .then(() => call(confirmEmail, { body: { token: link, email } }))
      .then(({ data }) => setState({ at: 'done', kind: data.kind }))
      .catch(error => setState(refusalOf(error)));
  }, [link, t]);

  if (state.at === 'asking')
    return (
      <AuthLayout title={t('confirm.asking')} lead={t('confirm.askingLead')}>
        <Waiting />
      </AuthLayout>
    );
  if (state.at === 'signIn')
    return (
      <AuthLayout title={t('confirm.signIn')} lead={t(token() ? 'confirm.signInOther' : 'confirm.signInLead')}>
        <Button fullWidth onClick={signIn} autoFocus>
          {t(token() ? 'confirm.signInAsOther' : 'complete.login')}
        </Button>
      </AuthLayout>
    );
  if (state.at === 'over')
    return (
      <AuthLayout title={t('confirm.refused')} lead={state.message}>
        <Button variant="default" fullWidth onClick={() => location.assign('/')}>
          {t('confirm.toPanel')}
        </Button>
      </AuthLayout>
    );
  if (state.at === 'refused')
    return (
      <AuthLayout title={t('confirm.refused')}>
        <FormProblem text={state.message || t('unreachable')} />
        <Button variant="default" fullWidth mt={20} onClick={() => location.reload()}>
          {t('common:retry')}
        </Button>
      </AuthLayout>
    );
  return (
    <AuthLayout title={t('confirm.thanks')} lead={t('confirm.done')}>
      {state.kind === 'user' && (
        <Button
          fullWidth
          onClick={() => location.assign(token() ? '/?reloadAuthentication=1' : '/auth/login')}
          autoFocus
        >
          {t(token() ? 'confirm.toPanel' : 'complete.login')}
        </Button>
      )}
    </AuthLayout>
  );
}
