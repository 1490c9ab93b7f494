import { Button } from '@mantine/core';
import type { ssoApi } from '@portico/contract/sso.ts';
import { useEffect, useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { type Said, saidBy } from '#features/auth/said.ts';
import { keptSearch } from '#features/auth/sso.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { Waiting } from '#features/auth/waiting.tsx';
import { ApiError, address, call } from '#lib/client.ts';
import { signIn, signInPath } from '#lib/session.ts';

const finish = address<typeof ssoApi.finish>('POST', '/v1/user/sso/finish');

/** Once, even if the screen is drawn twice: the answer of the provider is good for one call. */
let asked: ReturnType<typeof send> | undefined;
const send = (query: string) => call(finish, { body: { query } });

function ask() {
  const { search, pathname } = location;
  // The code of the provider must not stay in the history.
  history.replaceState(null, '', pathname);
  asked ??= send(search);
  return asked;
}

/** Where the identity provider sends the browser back to. */
export function SsoReturnPage({ onSignedIn }: { onSignedIn: (home: string) => void }) {
  const { t } = useAuthTexts();
  const [problem, setProblem] = useState<Said>('');

  useEffect(() => {
    ask().then(
      ({ data }) => {
        history.replaceState(null, '', signInPath + keptSearch());
        signIn(data);
        onSignedIn(data.user.can_create_location ? '/admin' : '/');
      },
      error => setProblem(error instanceof ApiError ? saidBy(error) : t('unreachable')),
    );
  }, [onSignedIn, t]);

  return (
    <AuthLayout title={t(problem ? 'sso.failed' : 'sso.waiting')}>
      {problem ? (
        <div className={classes.form}>
          <FormProblem text={problem} />
          <Button fullWidth onClick={() => location.assign(signInPath)} autoFocus>
            {t('backToLogin')}
          </Button>
        </div>
      ) : (
        <Waiting />
      )}
    </AuthLayout>
  );
}
