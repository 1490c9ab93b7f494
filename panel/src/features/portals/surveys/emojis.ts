import type { emojis } from '@portico/contract/surveys.ts';
import { IconMoodAngry, IconMoodHappy, IconMoodNeutral, IconMoodSad, IconMoodSmile } from '@tabler/icons-react';

export type Emoji = (typeof emojis)[number];

/** From worst to best. Icons, because not every system font has all five emojis. */
export const emojiIcons = {
  'very-bad': IconMoodAngry,
  bad: IconMoodSad,
  neutral: IconMoodNeutral,
  good: IconMoodSmile,
  'very-good': IconMoodHappy,
} satisfies Record<Emoji, unknown>;
export const emojiSet = Object.keys(emojiIcons) as Emoji[];
