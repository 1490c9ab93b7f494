import sql from 'sql-template-tag';
import { beforeEach } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import type { Body } from '#test/harness.ts';
import { newGuestEachTest, startVenue } from '../../testing/venue.ts';

const questions = [
  {
    label: { tr: 'Memnun kaldınız mı?', en: 'Were you pleased?', ar: 'هل أنت راضٍ؟' },
    answer_type: 'emoji',
    type: 'single',
    answers: [
      { label: {}, emoji: 'bad' },
      { label: {}, emoji: 'good' },
    ],
  },
  {
    label: { en: 'What did you like?' },
    answer_type: 'text',
    type: 'multiple',
    answers: [{ label: { en: 'Tea' } }, { label: { en: 'View' } }],
  },
  { label: { en: 'What else?' }, answer_type: 'text', type: 'single', answers: [] },
];

/** The fields of the answers to a survey: the least that counts, and all. */
export const ids = (survey: Body) => {
  const [face, like, else_] = survey.questions;
  const good: Record<string, string> = { [`q-${face.id}`]: face.answers[1].id };
  return {
    good,
    all: { ...good, [`q-${like.id}-${like.answers[0].id}`]: '1', [`q-${else_.id}`]: '=SUM(A1) & <b>çay</b>' },
    face,
    like,
    text: else_,
  };
};

/** A venue whose portal asks guests. Each test has a new guest device and no rules. */
export async function startSurveys() {
  const venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  await venue.run(sql`update locations set time_zone = ${zoneAtNoon()}`);
  const portal = `panel/portal/${venue.portal.id}`;
  newGuestEachTest(() => venue);

  const makeSurvey = (name = 'Stay') => venue.create(`${portal}/surveys`, { name, questions });
  const clearRules = async () => {
    for (const rule of (await venue.api.get(`${portal}/rules`, { token: venue.admin })).body.data)
      await venue.api.delete(`${portal}/rules/${rule.id}`, { token: venue.admin });
  };
  const rule = async (body: Body) => {
    await venue.create(`${portal}/rules`, body);
  };
  const only = async (...rules: Body[]) => {
    await clearRules();
    for (const body of rules) await rule(body);
  };
  const surveyAt = () => `/w/${venue.nas}/survey`;
  const results = async (survey: Body) =>
    (await venue.api.get(`${portal}/surveys/${survey.id}/results`, { token: venue.admin })).body.data;
  beforeEach(clearRules);

  return { venue, portal, makeSurvey, clearRules, rule, only, surveyAt, results };
}
