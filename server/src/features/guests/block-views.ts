import type { BlockList } from '@portico/contract/block-kinds.ts';
import type { BlockView } from '@portico/contract/guests.ts';
import type { PortalBlock } from '@portico/contract/portal-blocks.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { PortalRow } from './guest-context.queries.ts';
import type { GuestContext } from './guest-context.ts';
import { inLanguage } from './guest-views.ts';
import { isDue } from './is-due.ts';

interface Addresses {
  /** The address of the QR menu. */
  readonly menu: string | null;
  /** The address of a survey that the guest can answer. */
  readonly survey: (id: string) => string | null;
}

/** A block in a language; undefined without an address for its button. */
export function blockView(
  it: PortalBlock,
  { language, portal, menu, survey }: Addresses & { language: PortalLanguage; portal: PortalRow },
): BlockView | undefined {
  const say = (texts: PerLanguage) => inLanguage(texts, language, portal);
  switch (it.kind) {
    case 'text':
      return { kind: 'text', html: say(it.texts) };
    case 'picture':
      return { kind: 'picture', src: it.image, alt: say(it.alt), shape: it.shape };
    case 'button':
      return { kind: 'button', label: say(it.label), href: it.url };
    case 'menu':
      return menu ? { kind: 'button', label: say(it.label), href: menu } : undefined;
    case 'survey': {
      const href = survey(it.survey_id);
      return href ? { kind: 'button', label: say(it.label), href } : undefined;
    }
    case 'advertisement':
      return { kind: 'advertisement' };
  }
}

interface Shown {
  readonly blocks: readonly BlockView[];
  /** False while the place of the advertisement is not shown. */
  readonly takesAd: boolean;
}

/** The blocks of a page that are shown now. */
export function shownBlocks(
  language: PortalLanguage,
  { portal, place, menu_code }: GuestContext & { portal: PortalRow },
  list: BlockList,
  survey: Addresses['survey'] = () => null,
): Shown {
  const all = portal.page?.[list] ?? [];
  // With a query the visit of the menu does not count as a scan of a desk's code.
  const menu = menu_code && `/m/${menu_code}?lang=${language}`;
  const due = all.filter(it => isDue(it, place.timeZone));
  const blocks = due.flatMap(it => blockView(it, { language, portal, menu, survey }) ?? []);
  const isAd = ({ kind }: { kind: string }) => kind === 'advertisement';
  return { blocks, takesAd: !all.some(isAd) || blocks.some(isAd) };
}
