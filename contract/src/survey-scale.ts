import { portalLanguages } from './portal-languages.ts';

/** Questions from 0 to 10. Without zod, because the panel's editor needs them at once. */

interface Scalable {
  readonly answer_type: string;
  readonly type: string;
  readonly answers: readonly { readonly label: Readonly<Record<string, string | undefined>> }[];
}

/** How likely guests are to recommend the venue: 0 to 10. */
const scaleMax = 10;
/** The answers of a scale from 0 to 10. */
export const scaleAnswers = (languages: readonly string[] = portalLanguages) =>
  Array.from({ length: scaleMax + 1 }, (_, i) => ({
    label: Object.fromEntries(languages.map(language => [language, String(i)])),
    emoji: null,
  }));
/** Whether a question is a scale: one of the answers 0 to 10, in this order. Its result is a net promoter score. */
export const isScale = (it: Scalable): boolean =>
  it.answer_type === 'text' &&
  it.type === 'single' &&
  it.answers.length === scaleMax + 1 &&
  it.answers.every(({ label }, i) => {
    const texts = Object.values(label).filter(Boolean);
    return texts.length > 0 && texts.every(text => text === String(i));
  });
