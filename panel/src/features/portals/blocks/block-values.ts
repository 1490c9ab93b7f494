import { always, type BlockKind, type BlockList } from '@portico/contract/block-kinds.ts';
import type { PortalBlock } from '@portico/contract/portal-blocks.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PortalPage } from '@portico/contract/portal-page.ts';
import { anyText, hasText } from '#features/portals/fields/portal-languages.ts';
import type { FormPart } from '#ui/use-contract-form.ts';

export type BlockValues = { page: Pick<PortalPage, BlockList> };
export type BlocksForm = FormPart<BlockValues>;

/** A random UUID (RFC 9562, version 4). Works on plain http too, where `crypto.randomUUID` is missing. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `survey`: the survey of a block that opens one. */
export function newBlock(kind: BlockKind, survey: string): PortalBlock {
  const common = { id: newId(), ...always };
  switch (kind) {
    case 'text':
      return { kind, ...common, texts: {} };
    case 'picture':
      return { kind, ...common, image: '', alt: {}, shape: 'wide' };
    case 'button':
      return { kind, ...common, label: {}, url: '' };
    case 'menu':
      return { kind, ...common, label: {} };
    case 'survey':
      return { kind, ...common, label: {}, survey_id: survey };
    case 'advertisement':
      return { kind, ...common };
  }
}

/** The texts of a block by language; undefined if it has none. */
export const textsOf = (block: PortalBlock) =>
  block.kind === 'text'
    ? block.texts
    : block.kind === 'picture'
      ? block.alt
      : block.kind === 'advertisement'
        ? undefined
        : block.label;

/** The text by which a list names a block. */
export const blockWords = (block: PortalBlock, language: PortalLanguage): string =>
  anyText(textsOf(block) ?? {}, language)
    .replace(/<[^>]*>|&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);

export const hasTiming = (block: PortalBlock): boolean =>
  (Object.keys(always) as (keyof typeof always)[]).some(key => block[key] !== null);

const isWhole = (block: PortalBlock): boolean => {
  const isWritten = Object.values(textsOf(block) ?? {}).some(hasText);
  if (block.kind === 'picture') return block.image !== '';
  if (block.kind === 'button') return isWritten && URL.canParse(block.url) && /^https:\/\/[^/]+\.[^/]+/.test(block.url);
  return block.kind === 'advertisement' || isWritten;
};

/** The blocks that can be shown, for the preview. It shows them at any time. */
export const wholeBlocks = (page: BlockValues['page']): BlockValues['page'] => ({
  sign_in_blocks: page.sign_in_blocks.filter(isWhole).map(it => ({ ...it, ...always })),
  connected_blocks: page.connected_blocks.filter(isWhole).map(it => ({ ...it, ...always })),
});
