import { Button } from '@mantine/core';
import type { AuthUser, authApi } from '@portico/contract/auth.ts';
import type { InvitationInfo } from '@portico/contract/team.ts';
import { useState } from 'react';
import { acceptInvitation } from '#features/auth/accept-invitation.ts';
import classes from '#features/auth/auth.module.css';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { type Said, saidBy } from '#features/auth/said.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { ApiError, address, call } from '#lib/client.ts';
import { dropToken } from '#lib/session.ts';

const logout = address<typeof authApi.logout>('POST', '/v1/user/logout');

interface Props {
  token: string;
  invitation: InvitationInfo;
  user: AuthUser;
}

/** For signed-in users: the invited person or another user. */
export function InvitationSignedIn({ token, invitation, user }: Props) {
  const { t } = useAuthTexts();
  const [problem, setProblem] = useState<Said>('');
  const [pending, setPending] = useState(false);
  const isOther = user.email.toLowerCase() !== invitation.email.toLowerCase();

  const accept = async () => {
    setPending(true);
    setProblem('');
    try {
      await acceptInvitation(token);
    } catch (error) {
      setProblem(error instanceof ApiError ? saidBy(error) : t('unreachable'));
      setPending(false);
    }
  };
  const signOut = async () => {
    setPending(true);
    // Signs out here even if the server cannot be reached.
    await call(logout).catch(() => undefined);
    dropToken();
    location.reload();
  };
  return (
    <div className={classes.form}>
      <FormProblem text={problem} />
      <p className={classes.note}>
        {isOther
          ? t('invitation.forOther', { email: invitation.email, mine: user.email })
          : t('invitation.signedInAs', { email: user.email })}
      </p>
      {isOther ? (
        <>
          <Button fullWidth onClick={() => void signOut()} loading={pending}>
            {t('invitation.signOut')}
          </Button>
          <Button fullWidth variant="default" onClick={() => location.assign('/')}>
            {t('invitation.toPanel')}
          </Button>
        </>
      ) : (
        <Button fullWidth onClick={() => void accept()} loading={pending} autoFocus>
          {t('invitation.accept')}
        </Button>
      )}
    </div>
  );
}
