import { Button } from '@mantine/core';
import type { WhoWasItForm } from '@portico/contract/identity.ts';
import { IconCertificate, IconFileTypePdf } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCertificate, useWhoWasIt, useWhoWasItPdf } from '#features/identity/identity.api.ts';
import classes from '#features/identity/identity.module.css';
import { clock, MatchCard } from '#features/identity/match-card.tsx';
import { QuestionForm } from '#features/identity/question-form.tsx';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';

/** Finds the guest who used an IP address at a given time, for requests from authorities. */
export function WhoWasItPage() {
  const { t } = useTranslation(['identity', 'common']);
  const [search] = useListSearch();
  const find = useWhoWasIt();
  const pdf = useWhoWasItPdf();
  const certificate = useCertificate();
  const [asked, setAsked] = useState<WhoWasItForm>();
  const answer = find.data?.data;
  const ask = (form: WhoWasItForm) => find.mutateAsync(form).then(() => setAsked(form));
  return (
    <>
      <PageHeader title={t('title')} description={t('help')}>
        <Button
          variant="default"
          leftSection={<IconCertificate size={16} />}
          loading={certificate.isPending}
          onClick={() => certificate.mutate()}
        >
          {t('certificate')}
        </Button>
      </PageHeader>
      <QuestionForm
        asked={{ address: search.address, at: search.at, mac: search.mac }}
        pending={find.isPending}
        onAsk={ask}
      />
      {answer && asked && (
        <section className={classes.answer} aria-label={t('answer')} aria-live="polite">
          <header>
            <h2>{t('found', { count: answer.matches.length })}</h2>
            <Button
              leftSection={<IconFileTypePdf size={16} />}
              loading={pdf.isPending}
              onClick={() => pdf.mutate(asked)}
            >
              {t('pdf')}
            </Button>
          </header>
          {answer.asked.also_at && (
            <Notice tone="warn" title={t('twiceTitle')}>
              {t('twice', {
                first: clock(answer.asked.at, answer.asked.time_zone),
                second: clock(answer.asked.also_at, answer.asked.time_zone),
              })}
            </Notice>
          )}
          {!answer.complete && (
            <Notice tone="warn" title={t('incompleteTitle')}>
              {t('incomplete')}
            </Notice>
          )}
          {answer.matches.length === 0 && <EmptyState drawing="waves" title={t('nobody')} text={t('nobodyText')} />}
          {answer.matches.map(match => (
            <MatchCard
              key={`${match.session.id} ${match.tie} ${match.asked_at}`}
              match={match}
              timeZone={answer.asked.time_zone}
              twice={answer.asked.also_at !== null}
            />
          ))}
        </section>
      )}
    </>
  );
}
