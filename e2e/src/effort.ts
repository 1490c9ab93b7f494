import type { Locator } from '@playwright/test';

/**
 * Counts what a journey asks of a person, and what that takes by the keystroke-level model (Card, Moran, Newell): to think 1.35 s,
 * to point 1.1 s, to press 0.2 s, to type a character 0.28 s.
 */
export function measureEffort() {
  let clicks = 0;
  let fields = 0;
  let characters = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    fill: async (target: Locator, text: string) => {
      fields += 1;
      characters += text.length;
      await target.fill(text);
    },
    /** So far. */
    sum: () => ({
      clicks,
      fields,
      seconds: Math.round(clicks * (1.35 + 1.1 + 0.2) + fields * (1.35 + 1.1) + characters * 0.28),
    }),
  };
}
