import { Button } from '@mantine/core';
import type { teamApi } from '@portico/contract/team.ts';
import { useState } from 'react';
import classes from '#features/auth/auth.module.css';
import { FormProblem } from '#features/auth/form-problem.tsx';
import { type Said, saidBy } from '#features/auth/said.ts';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { ApiError, address, call } from '#lib/client.ts';

const deny = address<typeof teamApi.deny>('POST', '/v1/team/deny/:token');

interface Props {
  token: string;
  location: string;
  onDenied: () => void;
}

/** Declines the invitation after a confirmation. */
export function DenyInvitation({ token, location, onDenied }: Props) {
  const { t } = useAuthTexts();
  const [asking, setAsking] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<Said>('');
  const send = async () => {
    setPending(true);
    setProblem('');
    try {
      await call(deny, { params: { token } });
      onDenied();
    } catch (error) {
      setProblem(error instanceof ApiError ? saidBy(error) : t('unreachable'));
      setPending(false);
    }
  };
  if (!asking)
    return (
      <p className={classes.other}>
        <button type="button" className={classes.link} onClick={() => setAsking(true)}>
          {t('invitation.deny')}
        </button>
      </p>
    );
  return (
    <div className={classes.question}>
      <FormProblem text={problem} />
      <p>{t('invitation.denySure', { location })}</p>
      <div className={classes.pair}>
        <Button color="red" onClick={() => void send()} loading={pending}>
          {t('invitation.denyYes')}
        </Button>
        <Button variant="default" onClick={() => setAsking(false)} autoFocus>
          {t('common:no')}
        </Button>
      </div>
    </div>
  );
}
