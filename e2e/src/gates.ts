import { fileForm, picture } from '../../server/src/test/uploads.ts';
import { mp4 } from '../../server/src/test/videos.ts';
import type { Operator } from './operator.ts';
import type { Venue } from './venue.ts';
import type { Visit } from './visits.ts';

/**
 * The steps before a sign-in, and the options that shape it. Terms come with a privacy notice; news go by e-mail and SMS.
 * The form waits for the end of the film. A period has a portal of its own. A remembered guest goes on without a form.
 */
export const gates = ['terms', 'news', 'survey', 'film', 'period', 'remember'] as const;
export type Gate = (typeof gates)[number];

type Made = { data: { id: string } };
type PortalOfVisit = Pick<Visit, 'method' | 'options' | 'language' | 'gates'>;

/** The portal of a visit: its only method, its language, `more` languages, and its gates. */
export async function openPortal(
  operator: Operator,
  venue: Venue,
  visit: PortalOfVisit,
  ...more: readonly string[]
): Promise<void> {
  const { language, gates: chosen } = visit;
  const has = (gate: Gate) => chosen.includes(gate);
  let { portalId } = venue;
  if (has('period')) {
    const form = { name: 'Ramazan', location_id: venue.locationId };
    portalId = (await operator.call<Made>('POST', 'panel/portal', form)).data.id;
    const portal_periods = [{ portal_id: portalId, starts_on: '2020-01-01' }];
    await operator.call('PUT', `panel/location/${venue.locationId}`, { name: venue.name, portal_periods });
  }
  const at = `panel/portal/${portalId}`;
  const text = { [language]: '<p>…</p>' };
  await operator.call('PUT', at, {
    providers: [{ slug: visit.method, order: 1, options: visit.options }],
    page: { languages: [...new Set(['en', language, ...more])] },
    agreements: {
      ...(has('terms') && { general: text, kvkk: text }),
      ...(has('news') && { marketing_email: { [language]: 'E!' }, marketing_sms: { [language]: 'S!' } }),
    },
  });
  if (has('survey')) {
    const answers = ['bad', 'good'].map(emoji => ({ label: {}, emoji }));
    const questions = [{ label: { [language]: '☕?' }, answer_type: 'emoji', type: 'single', answers }];
    const { data } = await operator.call<Made>('POST', `${at}/surveys`, { name: 'Çay', questions });
    const rule = { state: 'before_login', action: 'redirect_to_survey', survey_id: data.id };
    await operator.call('POST', `${at}/rules`, rule);
  }
  if (has('film')) {
    const poster = fileForm(await picture(640, 360), { collection: 'advertisement' });
    const upload = async (path: string, form: FormData) =>
      (await operator.call<{ data: { url: string } }>('POST', `${at}/${path}`, form)).data.url;
    await operator.call('POST', `${at}/ads`, {
      name: 'Çay',
      type: 'video',
      video: await upload('video', fileForm(mp4({}), { name: 'tea.mp4' })),
      images: [await upload('image', poster)],
      seconds: 3,
    });
  }
}
