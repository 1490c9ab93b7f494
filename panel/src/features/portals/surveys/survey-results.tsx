import { Button, Modal, SegmentedControl, Select } from '@mantine/core';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { SurveyResults as Results, Survey } from '@portico/contract/surveys.ts';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { anyText, languagesOf, nameIn } from '#features/portals/fields/portal-languages.ts';
import { dayBars, weekBars } from '#features/portals/items/day-bars.ts';
import { useDownloadAnswers, useSurveyResults, useSurveyTexts } from '#features/portals/items/results.api.ts';
import classes from '#features/portals/items/results.module.css';
import { type Emoji, emojiIcons } from '#features/portals/surveys/emojis.ts';
import { formatDay, formatNumber, formatPercent } from '#lib/format.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';
import { Pagination } from '#ui/pagination.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

type Question = Results['questions'][number];

/** The results of a survey: counts, answers by day, choices and written answers. */
export function SurveyResults({ survey, onClose }: { survey: Survey; onClose: () => void }) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal } = useEditor();
  const query = useSurveyResults(portal.id, survey.id);
  const file = useDownloadAnswers(portal.id);
  const data = query.data?.data;
  const responses = data ? data.answered + data.skipped : 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('survey.resultsOf', { name: survey.name })}
      size={680}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      {!data && query.error && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {!data && !query.error && <div className={classes.waiting} role="status" aria-label={t('common:loading')} />}
      {data && (
        <>
          <ul className={classes.sums}>
            <Sum name={t('survey.shown')} value={formatNumber(data.shown)} />
            <Sum name={t('survey.answered')} value={formatNumber(data.answered)} />
            <Sum name={t('survey.skipped')} value={formatNumber(data.skipped)} />
            <Sum name={t('survey.share')} value={responses ? formatPercent(data.answered / responses) : '–'} />
          </ul>
          {data.answered === 0 ? (
            <EmptyState
              drawing="gauge"
              title={t('survey.noResults')}
              text={t(data.shown > 0 ? 'survey.noAnswersText' : 'survey.noResultsText')}
            />
          ) : (
            <>
              <Trend results={data} />
              {data.questions.map((question, index) => (
                <Answers key={question.id} question={question} place={index + 1} surveyId={survey.id} />
              ))}
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                loading={file.isPending}
                onClick={() => file.mutate(survey)}
              >
                {t('survey.export')}
              </Button>
            </>
          )}
        </>
      )}
    </Modal>
  );
}

/** Answers over time, by day or by week. */
function Trend({ results: { days, weeks } }: { results: Results }) {
  const { t } = useTranslation('portal-editor');
  const [by, setBy] = useState<'day' | 'week'>('day');
  const label = t(by === 'day' ? 'survey.byDay' : 'survey.byWeek');
  return (
    <>
      <div className={classes.trendHead}>
        <h3 className={classes.heading}>{label}</h3>
        <SegmentedControl
          aria-label={t('survey.interval')}
          value={by}
          onChange={value => setBy(value === 'week' ? 'week' : 'day')}
          data={[
            { value: 'day', label: t('survey.days') },
            { value: 'week', label: t('survey.weeks') },
          ]}
        />
      </div>
      <BarChart
        label={label}
        rowLabel={t(by === 'day' ? 'survey.day' : 'survey.week')}
        series={[t('survey.answered')]}
        thickness={14}
        format={formatNumber}
        bars={
          by === 'day'
            ? dayBars(days.map(({ day, answered }) => ({ day, value: answered })))
            : weekBars(weeks.map(({ week, answered }) => ({ day: week, value: answered })))
        }
      />
    </>
  );
}

/** The net promoter score and its parts, and how it was in the latest weeks with answers. */
function Promoters({ nps }: { nps: NonNullable<Question['nps']> }) {
  const { t } = useTranslation('portal-editor');
  const weeks = nps.weeks.filter(it => it.score !== null).slice(-8);
  return (
    <>
      <ul className={classes.sums}>
        <Sum name={t('survey.nps')} value={score(nps.score)} />
        <Sum name={t('survey.promoters')} value={formatNumber(nps.promoters)} />
        <Sum name={t('survey.passives')} value={formatNumber(nps.passives)} />
        <Sum name={t('survey.detractors')} value={formatNumber(nps.detractors)} />
      </ul>
      <p>{t('survey.npsHelp')}</p>
      {weeks.length > 1 && (
        <table className={classes.weeks}>
          <caption>{t('survey.npsByWeek')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('survey.week')}</th>
              <th scope="col">{t('survey.nps')}</th>
              <th scope="col">{t('survey.answered')}</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(it => (
              <tr key={it.week}>
                <th scope="row">{formatDay(it.week)}</th>
                <td>{score(it.score)}</td>
                <td>{formatNumber(it.promoters + it.passives + it.detractors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** From −100 to +100, with its sign. */
const score = (value: number | null): string =>
  value === null ? '–' : value > 0 ? `+${formatNumber(value)}` : formatNumber(value);

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <li>
      <span>{name}</span>
      <strong>{value}</strong>
    </li>
  );
}

function Answers({ question, place, surveyId }: { question: Question; place: number; surveyId: string }) {
  const { t } = useTranslation('portal-editor');
  const { language } = useEditor();
  const { label, answered, answers } = question;
  return (
    <section className={classes.question}>
      <h3 dir="auto">{anyText(label, language) || t('survey.question', { place })}</h3>
      <p>{t('survey.answeredCount', { count: answered })}</p>
      {question.nps && answered > 0 && <Promoters nps={question.nps} />}
      {answers.length === 0 && <Texts surveyId={surveyId} question={question} />}
      {answers.length > 0 && (
        <ul className={classes.answers}>
          {answers.map((answer, i) => {
            const share = answered ? answer.count / answered : 0;
            return (
              <li key={answer.id}>
                <span dir="auto">
                  <Face emoji={answer.emoji} />
                  {anyText(answer.label, language) ||
                    (isBuiltIn(answer.emoji)
                      ? t(`face.${answer.emoji}`)
                      : !answer.emoji && t('survey.answer', { place: i + 1 }))}
                </span>
                <span>
                  <b>{formatNumber(answer.count)}</b> {formatPercent(share)}
                </span>
                <i aria-hidden="true">
                  <i style={{ width: `${share * 100}%` }} />
                </i>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

const isBuiltIn = (emoji: string | null): emoji is Emoji => emoji !== null && emoji in emojiIcons;

function Face({ emoji }: { emoji: string | null }) {
  if (!emoji) return null;
  if (!isBuiltIn(emoji)) return `${emoji} `;
  const Icon = emojiIcons[emoji];
  return <Icon size={20} aria-hidden />;
}

function Texts({ surveyId, question }: { surveyId: string; question: Question }) {
  const { t } = useTranslation('portal-editor');
  const { portal } = useEditor();
  const own = portal.page.own_languages;
  const [page, setPage] = useState(1);
  const [language, setLanguage] = useState<PortalLanguage | null>(null);
  const { data, error, refetch } = useSurveyTexts({
    portalId: portal.id,
    surveyId,
    question: question.id,
    page,
    language,
  });
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className={classes.waiting} role="status" aria-label={t('survey.texts')} />;
  if (data.data.length === 0 && !language) return <p>{t('survey.noTexts')}</p>;
  return (
    <>
      <Select
        className={classes.language ?? ''}
        aria-label={t('rule.language')}
        placeholder={t('rule.anyLanguage')}
        clearable
        value={language}
        onChange={value => {
          setLanguage(value);
          setPage(1);
        }}
        data={languagesOf(own).map(value => ({ value, label: nameIn(own, value) }))}
      />
      {data.data.length === 0 && <p>{t('survey.noTextsIn')}</p>}
      <ul className={classes.texts} aria-label={t('survey.texts')}>
        {data.data.map(it => (
          <li key={it.id}>
            <p dir="auto" lang={it.language}>
              {it.text}
            </p>
            <small>
              {nameIn(own, it.language)} · <RelativeTime time={it.created_at} />
            </small>
          </li>
        ))}
      </ul>
      <Pagination meta={data.meta} onPage={setPage} />
    </>
  );
}
