import { templateStyles, templates } from '@portico/contract/portal-templates.ts';
import type { Panel } from './panel.ts';
import type { PastPortal } from './past-answers.ts';
import { type SamplePortal, samplePortals } from './sample-portals.ts';

/** The letters of the logos are strokes of one group. */
const withLightLetters = (logo: string): string => logo.replace(/(<g fill="none" stroke=)"#\w+"/, '$1"#f3f5f8"');

/** Adds a portal of the active location as its owner would: from a template, with logo, texts, offers and a survey. */
export async function fillPortal(
  panel: Panel,
  name: keyof typeof samplePortals,
): Promise<Pick<PastPortal, 'name' | 'portalId' | 'surveyId' | 'ads'>> {
  const it: SamplePortal = samplePortals[name];
  const logo = await panel.draw('logo', it.logo);
  const { id } = await panel.post<{ id: string }>('panel/portal', {
    name,
    styles: {
      ...templateStyles(it.template),
      portal_logo: logo,
      favicon: await panel.draw('icon', it.icon),
      logo_scale: 60,
      dark_mode: 'device',
      dark_logo: await panel.draw('logo', withLightLetters(it.logo)),
    },
    messages: { ...templates[it.template].messages, ...it.messages },
    agreements: it.agreements,
    page: { links: it.links, connected_blocks: it.blocks },
    ...(it.methods && { providers: it.methods.map((slug, order) => ({ slug, order, is_active: true })) }),
  });
  const ads: { id: string; link: string | null }[] = [];
  for (const { drawing, ...offer } of it.offers)
    ads.push(
      await panel.post(`panel/portal/${id}/ads`, {
        ...offer,
        type: 'image',
        images: [await panel.draw('advertisement', drawing)],
      }),
    );
  const survey = await panel.post<{ id: string }>(`panel/portal/${id}/surveys`, it.survey);
  await panel.post(`panel/portal/${id}/rules`, {
    state: 'login_successful',
    action: 'redirect_to_survey',
    survey_id: survey.id,
  });
  return { name, portalId: id, surveyId: survey.id, ads };
}
