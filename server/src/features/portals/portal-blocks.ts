import { blockLists } from '@portico/contract/block-kinds.ts';
import type { PortalBlock } from '@portico/contract/portal-blocks.ts';
import { isShipped } from '@portico/contract/portal-languages.ts';
import type { PortalPage, PortalPageForm } from '@portico/contract/portal-page.ts';
import { invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { PictureUrls } from './picture-urls.ts';
import { cleanHtml, cleanTexts, mapTexts } from './portal-content.ts';

/** The blocks of a portal's pages: text, pictures and buttons. They are stored in its page content. */

interface Own {
  readonly pictures: PictureUrls;
  /** The ids of the portal's surveys. */
  readonly surveys: readonly string[];
}

/** A page content for storage. Its texts are sanitised, and pictures and surveys of others are refused. */
export function changedPage(
  before: PortalPageForm | null | undefined,
  sent: PortalPageForm | undefined,
  own: Own,
): PortalPageForm {
  const after = { ...before, ...sent };
  checkLanguages(after, sent);
  for (const list of blockLists) {
    const blocks = sent?.[list];
    if (!blocks) continue;
    const known = new Set<string>();
    after[list] = blocks.map((it, i) => {
      const id = it.id && !known.has(it.id) ? it.id : newId();
      known.add(id);
      return { ...checkedBlock(it, { ...own, at: `page.${list}.${i}` }), id };
    });
  }
  return after;
}

/** Guests can choose only languages that the product has, or that the owner has added. */
function checkLanguages(
  { languages = [], own_languages = [] }: PortalPageForm,
  sent: PortalPageForm | undefined,
): void {
  const tags = new Set(own_languages.map(({ tag }) => tag));
  const at = languages.findIndex(it => !isShipped(it) && !tags.has(it));
  if (at >= 0) throw invalid({ [sent?.languages ? 'page.languages' : 'page.own_languages']: 'language_missing' });
}

function checkedBlock(it: PortalBlock, { pictures, surveys, at }: Own & { at: string }): PortalBlock {
  if (it.kind === 'text') return { ...it, texts: cleanTexts(it.texts, { field: `${at}.texts`, pictures }) };
  if (it.kind === 'survey' && !surveys.includes(it.survey_id)) throw invalid({ [`${at}.survey_id`]: 'unknown' });
  if (it.kind !== 'picture') return it;
  const image = pictures.toPath(it.image);
  if (!image) throw invalid({ [`${at}.image`]: 'unknown' });
  return { ...it, image };
}

/** Like changedPage, for a preview: blocks that cannot be saved are left out. */
export function previewedPage(sent: PortalPageForm, pictures: PictureUrls): PortalPageForm {
  const shown: PortalPageForm = { ...sent };
  for (const list of blockLists) {
    const blocks = sent[list];
    if (blocks) shown[list] = blocks.flatMap(it => previewedBlock(it, pictures) ?? []);
  }
  return shown;
}

function previewedBlock(it: PortalBlock, pictures: PictureUrls): PortalBlock | undefined {
  if (it.kind === 'text') return { ...it, texts: mapTexts(it.texts, html => cleanHtml(html, pictures)) };
  if (it.kind !== 'picture') return it;
  const image = pictures.toPath(it.image);
  return image ? { ...it, image } : undefined;
}

/** A page content as the API returns it, with addresses of pictures. */
export function pageToWire(page: PortalPage, pictures: PictureUrls): PortalPage {
  const toWire = (it: PortalBlock): PortalBlock => {
    if (it.kind === 'text') return { ...it, texts: mapTexts(it.texts, pictures.htmlToUrls) };
    return it.kind === 'picture' ? { ...it, image: pictures.toUrl(it.image) } : it;
  };
  return {
    ...page,
    sign_in_blocks: page.sign_in_blocks.map(toWire),
    connected_blocks: page.connected_blocks.map(toWire),
  };
}

/** A page content without the blocks whose survey is not among these. */
export const withSurveys = (page: PortalPageForm | undefined, surveys: readonly { id: string }[]): PortalPageForm =>
  mapSurveys(page, id => (surveys.some(it => it.id === id) ? id : undefined));

/** A page content with other ids of surveys. A block whose survey has no other id is left out. */
export function mapSurveys(page: PortalPageForm | undefined, idOf: (id: string) => string | undefined): PortalPageForm {
  const mapped: PortalPageForm = { ...page };
  for (const list of blockLists) {
    const blocks = page?.[list];
    if (!blocks) continue;
    mapped[list] = blocks.flatMap((it): PortalBlock[] => {
      if (it.kind !== 'survey') return [it];
      const survey_id = idOf(it.survey_id);
      return survey_id === undefined ? [] : [{ ...it, survey_id }];
    });
  }
  return mapped;
}
