import { ActionIcon, Button } from '@mantine/core';
import type { PushBrowser } from '@portico/contract/push.ts';
import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/notice-choices.module.css';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { ownFingerprint, pushState, subscribe, unsubscribe } from '#lib/push.ts';
import { reportError, useChange } from '#lib/queries.ts';
import { toastError } from '#lib/toast.ts';
import { Card } from '#ui/card.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Tag } from '#ui/tag.tsx';

/**
 * The browsers that show the user's notifications, and a switch for this one. `isChosen`: the user wants some kinds in
 * browsers.
 */
export function PushCard({ isChosen }: { isChosen: boolean }) {
  const { t } = useTranslation('notice-choices');
  const { data, error, refetch } = useQuery(queryOf(api.push.list));
  return (
    <Card title={t('push.title')} description={t('push.help')}>
      {data ? (
        <Browsers isChosen={isChosen} publicKey={data.data.public_key} browsers={data.data.browsers} />
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <FormSkeleton fields={1} />
      )}
    </Card>
  );
}

interface Props {
  isChosen: boolean;
  publicKey: string;
  browsers: readonly PushBrowser[];
}

function Browsers({ isChosen, publicKey, browsers }: Props) {
  const { t } = useTranslation('notice-choices');
  const [state, setState] = useState(pushState);
  const own = useOwnFingerprint(browsers);
  const here = browsers.find(it => it.fingerprint === own);
  const remove = useChange({
    send: async (it: PushBrowser) => {
      await call(api.push.delete, { params: { id: it.id } });
      if (it === here) await unsubscribe();
    },
    refresh: [api.push.list],
    done: t('push.removed'),
  });
  const { turnOn, pending } = useTurnOn(publicKey, () => setState(pushState()));
  return (
    <>
      {isChosen && browsers.length === 0 && <p className={classes.missing}>{t('push.none')}</p>}
      {state === 'ready' ? (
        !here && (
          <Button className={classes.turnOn ?? ''} variant="default" loading={pending} onClick={() => void turnOn()}>
            {t('push.turnOn')}
          </Button>
        )
      ) : (
        <p className={classes.note}>{t(`push.${state}`)}</p>
      )}
      {browsers.length > 0 && (
        <ul className={classes.browsers} aria-label={t('push.title')}>
          {browsers.map(it => (
            <li key={it.id}>
              <div>
                <strong>{it.name || t('push.unknown')}</strong>{' '}
                {it === here && <Tag tone="accent">{t('push.here')}</Tag>}
                <small>
                  {t('push.since')} <RelativeTime time={it.created_at} />
                  {it.problem && <span data-problem>{t(`push.problem.${it.problem}`, { service: it.service })}</span>}
                </small>
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`${t('push.remove')}: ${it.name || t('push.unknown')}`}
                title={t('push.remove')}
                disabled={remove.isPending}
                onClick={() => remove.mutate(it)}
              >
                <IconTrash size={18} stroke={1.7} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Asked again when the list changes, because turning it on gives the browser a new address. */
function useOwnFingerprint(browsers: readonly PushBrowser[]): string | undefined {
  const [own, setOwn] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list says when to ask again
  useEffect(() => {
    let current = true;
    ownFingerprint()
      .catch(() => undefined)
      .then(found => current && setOwn(found));
    return () => {
      current = false;
    };
  }, [browsers]);
  return own;
}

function useTurnOn(publicKey: string, onAnswer: () => void) {
  const { t } = useTranslation('notice-choices');
  const queries = useQueryClient();
  const [pending, setPending] = useState(false);
  const turnOn = async () => {
    setPending(true);
    try {
      const subscription = await subscribe(publicKey).catch(() => null);
      onAnswer();
      if (subscription === null) return toastError(t('push.failed'));
      const { endpoint, keys } = subscription?.toJSON() ?? {};
      if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return;
      await call(api.push.put, { body: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } } });
      await queries.invalidateQueries({ queryKey: [api.push.list.path] });
    } catch (error) {
      await unsubscribe().catch(() => undefined);
      reportError(error);
    } finally {
      setPending(false);
    }
  };
  return { turnOn, pending };
}
