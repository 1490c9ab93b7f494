import type { Language } from '@portico/contract/errors.ts';
import { en } from '@portico/contract/guest-texts/en.ts';
import { tr } from '@portico/contract/guest-texts/tr.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import { isScale } from '@portico/contract/survey-scale.ts';
import type { SurveyResults } from '@portico/contract/surveys.ts';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import type { NamedQuestion } from './survey-parts.ts';
import * as queries from './survey-results.queries.ts';

/** Stores and counts a guest's answers, or that the guest skipped the survey; false when already done. */
export async function saveResponse(
  tx: Tx,
  it: queries.NewResponse,
  questions: readonly NamedQuestion[],
): Promise<boolean> {
  if (!(await queries.insertResponse(tx, it))) return false;
  await queries.countSurvey(tx, it.surveyId, it, it.answers ? 'answered' : 'skipped');
  const chosen = Object.entries(it.answers ?? {}).flatMap(([question, answer]) => [
    { question, answer: '' },
    ...(typeof answer === 'string' ? [] : answer.map(id => ({ question, answer: id }))),
  ]);
  if (chosen.length) await queries.countAnswers(tx, it.surveyId, it, chosen);
  const scores = questions.flatMap(question => {
    const score = scoreOf(question, it.answers?.[question.id]);
    return score ? [{ question: question.id, score }] : [];
  });
  if (scores.length) await queries.countScores(tx, it.surveyId, it, scores);
  return true;
}

/** 9 and 10 are promoters, 0 to 6 detractors. */
const scoreAt = (points: number): queries.Score => (points > 8 ? 'promoters' : points > 6 ? 'passives' : 'detractors');

function scoreOf(question: NamedQuestion, given: readonly string[] | string | undefined): queries.Score | undefined {
  if (!isScale(question) || typeof given !== 'object') return undefined;
  const points = question.answers.findIndex(answer => given.includes(answer.id));
  return points < 0 ? undefined : scoreAt(points);
}

/** The net promoter score: the share of promoters minus that of detractors, in whole percent. */
function withScore<T extends Record<queries.Score, number>>(it: T): T & { score: number | null } {
  const all = it.promoters + it.passives + it.detractors;
  return { ...it, score: all ? Math.round((100 * (it.promoters - it.detractors)) / all) : null };
}

/** The scores of all answers since the survey began, and of the latest weeks. */
async function netPromoters(
  tx: Tx,
  { scope, timeZone }: Reader,
  surveyId: string,
  question: { readonly id: string; readonly answers: readonly { readonly count: number }[] },
): Promise<NonNullable<SurveyResults['questions'][number]['nps']>> {
  const sums: Record<queries.Score, number> = { promoters: 0, passives: 0, detractors: 0 };
  for (const [points, { count }] of question.answers.entries()) sums[scoreAt(points)] += count;
  const weeks = await queries.scoreWeeks(tx, scope, { surveyId, question: question.id, timeZone });
  return { ...withScore(sums), weeks: weeks.map(withScore) };
}

interface Reader {
  readonly scope: Scope;
  readonly timeZone: string;
}

export async function surveyResults(tx: Tx, reader: Reader, survey: queries.GuestSurvey): Promise<SurveyResults> {
  const [sums, counts, days, weeks] = await Promise.all([
    queries.sumSurvey(tx, reader.scope, survey.id),
    queries.sumAnswers(tx, reader.scope, survey.id),
    queries.surveyDays(tx, reader.scope, survey.id, reader.timeZone),
    queries.surveyWeeks(tx, reader.scope, survey.id, reader.timeZone),
  ]);
  const countOf = (question: string, answer: string) =>
    counts.find(it => it.question_id === question && it.answer_id === answer)?.count ?? 0;
  const questions: SurveyResults['questions'] = [];
  for (const question of survey.questions) {
    const { id, label, type, answer_type } = question;
    const answers = question.answers.map(answer => ({ ...answer, count: countOf(id, answer.id) }));
    const nps = isScale(question) ? await netPromoters(tx, reader, survey.id, { id, answers }) : null;
    questions.push({ id, label, type, answer_type, answered: countOf(id, ''), answers, nps });
  }
  return { ...sums, questions, days, weeks };
}

const headings: Record<Language, string[]> = {
  en: ['Time', 'Language', 'Guest', 'MAC'],
  tr: ['Zaman', 'Dil', 'Misafir', 'MAC'],
};

/** A text in a language, else in the first available one. */
const inLanguage = (texts: PerLanguage, language: Language): string =>
  texts[language] || Object.values(texts).find(Boolean) || '';

/** The faces in words, as guests read them. */
const faces: Record<Language, Readonly<Record<string, string>>> = { tr: tr.survey.faces, en: en.survey.faces };

interface Export extends Reader {
  readonly language: Language;
  /** Whether to include names and MACs. */
  readonly readsPersonalData: boolean;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** All responses as CSV, one line per guest, read in chunks. */
export async function* exportResponses(it: Export, survey: queries.GuestSurvey): AsyncGenerator<string> {
  const { language, scope, timeZone, readsPersonalData: whole } = it;
  yield byteOrderMark +
    csvLine([...headings[language], ...survey.questions.map(({ label }) => inLanguage(label, language))]);
  const answerText = (question: (typeof survey.questions)[number], given: string[] | string | undefined): string => {
    if (given === undefined || typeof given === 'string') return given ?? '';
    return question.answers
      .filter(({ id }) => given.includes(id))
      .map(({ label, emoji }) => inLanguage(label, language) || (emoji ? (faces[language][emoji] ?? emoji) : ''))
      .join('; ');
  };
  for (let after: string | null = null; ; ) {
    const at: string | null = after;
    const rows: queries.ResponseRow[] = await it.read(tx =>
      queries.listResponses(tx, scope, { surveyId: survey.id, timeZone, after: at }),
    );
    for (const row of rows) {
      const who = whole ? [row.visitor, row.mac] : ['', ''];
      yield csvLine([row.at, row.language, ...who, ...survey.questions.map(q => answerText(q, row.answers[q.id]))]);
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < 500) return;
  }
}
