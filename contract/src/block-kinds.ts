import type { Timing } from './timing.ts';

/** The kinds of content on a portal's pages. This file loads no schemas. */

export const blockKinds = ['text', 'picture', 'button', 'menu', 'survey', 'advertisement'] as const;
export type BlockKind = (typeof blockKinds)[number];
/** A survey before the sign-in is a rule of the portal. */
export const connectedOnly = ['survey'] as const satisfies readonly BlockKind[];
export const pictureShapes = ['wide', 'square', 'tall'] as const;
export type PictureShape = (typeof pictureShapes)[number];

/** The first view of a guest has to stay small. */
export const maxBlocks = 8;
export const maxBlockText = 1500;

/** The lists of blocks of a page content. */
export const blockLists = ['sign_in_blocks', 'connected_blocks'] as const;
export type BlockList = (typeof blockLists)[number];

export const always: Timing = { starts_on: null, ends_on: null, weekdays: null, from_time: null, to_time: null };
