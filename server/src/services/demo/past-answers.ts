import type { SurveyForm } from '@portico/contract/surveys.ts';
import { insertConsent, recipientHash, textVersion } from '#features/consents/public.ts';
import {
  addPastFigures,
  countSurvey,
  findGuestSurvey,
  type NamedQuestion,
  saveResponse,
} from '#features/portals/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { faceShares, sampleComments, scaleShares } from './sample-answers.ts';
import { samplePortals } from './sample-portals.ts';

/** Figures of the weeks before: answers to the survey, views and clicks of the offers, and consents to news. */

const days = 28;
const dayMs = 86_400_000;
const answersPerDay = 2;

/** The parts of a portal to which its past refers. */
export interface PastPortal {
  readonly name: keyof typeof samplePortals;
  readonly portalId: string;
  readonly surveyId: string;
  readonly ads: readonly { readonly id: string; readonly link: string | null }[];
  readonly locationId: string;
  readonly deviceId: string;
  readonly visitors: readonly { readonly id: string; readonly email: string | null }[];
}

/** A fixed seed gives every demo the same data. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A place in the list, as often as its share says. */
function placeBy(shares: readonly number[], random: () => number): number {
  let left = random() * shares.reduce((sum, it) => sum + it, 0);
  return shares.findIndex(share => (left -= share) < 0);
}

type Answers = Record<string, string[] | string>;

function answersTo(questions: readonly NamedQuestion[], comment: string | undefined, random: () => number): Answers {
  const given: Answers = {};
  for (const { id, answers, answer_type } of questions) {
    if (answers.length === 0) {
      if (comment) given[id] = comment;
      continue;
    }
    const chosen = answers[placeBy(answer_type === 'emoji' ? faceShares : scaleShares, random)];
    if (chosen) given[id] = [chosen.id];
  }
  return given;
}

export async function makePastAnswers(app: App, tenantId: string, it: PastPortal): Promise<void> {
  const random = randomOf(it.name.length * 101);
  const { locationId, deviceId } = it;
  const start = Date.now() - days * dayMs;
  const comments = sampleComments[it.name];
  const languages: SurveyForm['name'][] = ['tr', 'tr', 'tr', 'en', 'de'];
  await app.db.withTenant(tenantId, async tx => {
    const survey = await findGuestSurvey(tx, it.portalId, it.surveyId);
    if (!survey) return;
    for (let n = 0; n < days * answersPerDay; n++) {
      const time = new Date(start + ((n + random()) / answersPerDay) * dayMs);
      const comment = n % 9 === 4 ? comments[Math.floor(n / 9) % comments.length] : undefined;
      const skips = !comment && random() < 0.35;
      const response = {
        ...{ id: newId(), surveyId: survey.id, locationId, deviceId, time },
        mac: `A4:83:E8:00:${[n >> 8, n & 255].map(part => part.toString(16).padStart(2, '0')).join(':')}`,
        ...{ visitorId: null, sessionId: null, addressHash: null },
        language: comment?.[0] ?? languages[n % languages.length]!,
        answers: skips ? null : answersTo(survey.questions, comment?.[1], random),
      };
      // A start after an interrupted one may have them already.
      if (await saveResponse(tx, response, survey.questions))
        await countSurvey(tx, survey.id, { locationId, deviceId, time }, 'shown');
    }
    const figures = Array.from({ length: days }, (_, day) =>
      it.ads.map(({ id: adId, link }) => {
        const views = Math.round((30 + 50 * random()) / it.ads.length);
        const clicks = link ? Math.round(views * 0.12 * random()) : 0;
        const at = new Date(start + day * dayMs).toISOString().slice(0, 10);
        return { adId, day: at, locationId, deviceId, views, clicks };
      }),
    );
    await addPastFigures(tx, figures.flat());
  });
  await makePastConsents(app, tenantId, it);
}

/** Most visitors with an address have allowed news by e-mail. */
async function makePastConsents(app: App, tenantId: string, it: PastPortal): Promise<void> {
  const sentence = samplePortals[it.name].agreements.marketing_email?.tr;
  if (!sentence) return;
  const allowing = it.visitors.filter((_, n) => n % 4 !== 3);
  await app.db.withTenant(tenantId, async tx => {
    for (const [n, { id: visitorId, email: recipient }] of allowing.entries()) {
      if (!recipient) continue;
      await insertConsent(tx, newId(), {
        ...{ visitorId, locationId: it.locationId, channel: 'email', recipient, text: sentence, language: 'tr' },
        recipientHash: recipientHash(app.secrets, tenantId, recipient),
        version: textVersion(sentence),
        mac: `A4:83:E8:01:00:${n.toString(16).padStart(2, '0')}`,
        source: 'sign-in',
        givenAt: new Date(Date.now() - (n + 1) * 1.7 * dayMs),
      });
    }
  });
}
