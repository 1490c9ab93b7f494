import type { NoticeChoices } from '@portico/contract/notice-choices.ts';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { AccountHeader } from '#features/account/account-header.tsx';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

const NoticeChoicesForm = lazyPart(
  () => import('#features/account/notice-choices-form.tsx'),
  'NoticeChoicesForm',
  'around',
);

const PushCard = lazyPart(() => import('#features/account/push-card.tsx'), 'PushCard', 'around');

const choosesPush = ({ choices, locations }: NoticeChoices): boolean =>
  [choices, ...locations.map(it => it.choices)].flat().some(it => it.way === 'push');

/** How the user is notified of each kind of event, everywhere and at some locations. */
export function NoticeChoicesPage() {
  const [place, setPlace] = useState('');
  const { data, error, refetch } = useQuery(queryOf(api.noticeChoices.show));
  return (
    <>
      <AccountHeader />
      {data ? (
        // Together, else the form would push the card away.
        <Suspense fallback={<FormSkeleton fields={6} />}>
          <NoticeChoicesForm stored={data.data} place={place} setPlace={setPlace} />
          {data.data.choices.length > 0 && <PushCard isChosen={choosesPush(data.data)} />}
        </Suspense>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <FormSkeleton fields={6} />
      )}
    </>
  );
}
