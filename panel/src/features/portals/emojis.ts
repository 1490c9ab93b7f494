import type { emojis } from '@portico/contract/portals.ts';

export type Emoji = (typeof emojis)[number];

/** From the worst to the best, as guests see them. */
export const faces: Record<Emoji, string> = {
  'very-bad': '😡',
  bad: '🙁',
  neutral: '😐',
  good: '🙂',
  'very-good': '😍',
};
export const emojiSet = Object.keys(faces) as Emoji[];
