import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly code?: string;
}

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly before: readonly string[];
  readonly steps: readonly Step[];
  readonly problems: readonly Step[];
}

/** The set-up guides of the panel, which has them with the values of a device. */
function guides(language: 'en' | 'tr'): { words: Record<string, string>; brands: [slug: string, guide: Guide][] } {
  const file = new URL(`../../../panel/src/features/guides/guides.${language}.json`, import.meta.url);
  const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | Guide>);
  return {
    words: Object.fromEntries(texts.filter((text): text is [string, string] => typeof text[1] === 'string')),
    brands: texts.filter((text): text is [string, Guide] => typeof text[1] !== 'string' && 'steps' in text[1]),
  };
}

/** A page of a brand is often the first one that a newcomer opens. */
const first = {
  en: 'The location, the device and the portal come first: [The first router](first-router.md) says how to add them.',
  tr: 'Önce lokasyon, cihaz ve portal gerekir. Nasıl ekleneceklerini [İlk yönlendirici](first-router.md) sayfası anlatır.',
};

const section = ({ title, text, code }: Step): string =>
  `## ${title}\n\n${text}\n${code ? `\n\`\`\`\n${code}\n\`\`\`\n` : ''}`;

/** Slug and names of each brand that has a guide. */
export function brands(): { slug: string; en: string; tr: string }[] {
  const turkish = new Map(guides('tr').brands);
  return guides('en').brands.map(([slug, { name }]) => ({ slug, en: name, tr: turkish.get(slug)?.name ?? name }));
}

/** One page per brand, for the route `[brand].md`. */
export function guidePages(language: 'en' | 'tr') {
  const { words, brands } = guides(language);
  return brands.map(([brand, { title, lead, before, steps, problems }]) => ({
    params: { brand },
    content: [
      `# ${title}\n\n${lead}\n`,
      `## ${words.before}\n\n${[first[language], ...before].map(line => `- ${line}`).join('\n')}\n`,
      ...steps.map((step, index) => section({ ...step, title: `${index + 1}. ${step.title}` })),
      `## ${words.problems}\n`,
      ...problems.map(problem => section(problem).replace('##', '###')),
    ].join('\n'),
  }));
}

/** The texts by which the search finds the page of a brand; undefined for other pages. VitePress itself searches in files only. */
export function searchedGuide(file: string): { titles: string[]; text: string }[] | undefined {
  const { brands } = guides(path.basename(path.dirname(file)) === 'tr' ? 'tr' : 'en');
  const guide = brands.find(([slug]) => slug === path.basename(file, '.md'))?.[1];
  if (!guide) return undefined;
  const steps = [...guide.steps, ...guide.problems].flatMap(({ title, text, code = '' }) => [title, text, code]);
  return [{ titles: [guide.title], text: [guide.lead, ...guide.before, ...steps].join('\n') }];
}
