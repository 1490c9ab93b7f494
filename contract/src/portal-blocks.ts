import { z } from 'zod';
import { maxBlocks, maxBlockText, pictureShapes } from './block-kinds.ts';
import { id } from './fields.ts';
import { perLanguage } from './portal-messages.ts';
import { picture } from './portal-styles.ts';
import { httpsLink, timing, timingProblem } from './timing.ts';

/** The content that an owner adds to a page of the guests, in order. */

const common = { id: id.optional(), ...timing.shape };
const label = perLanguage(60);

const anyBlock = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    ...common,
    /** Rich text. Harmful markup is removed when it is saved. */
    texts: perLanguage(maxBlockText),
  }),
  z.object({
    kind: z.literal('picture'),
    ...common,
    image: picture,
    /** A description of the picture for guests who do not see it. */
    alt: perLanguage(200),
    shape: z.enum(pictureShapes),
  }),
  z.object({ kind: z.literal('button'), ...common, label, url: httpsLink }),
  /** A button to the QR menu of the guest's location. A location without a menu has no button. */
  z.object({ kind: z.literal('menu'), ...common, label }),
  /** A button to a survey of this portal, until the guest has answered or skipped it. On the connected page only. */
  z.object({ kind: z.literal('survey'), ...common, label, survey_id: id }),
  /** The place of the page's advertisement, which is at the end without it. */
  z.object({ kind: z.literal('advertisement'), ...common }),
]);
export type PortalBlock = z.output<typeof anyBlock>;

const isEmpty = (texts: Readonly<Record<string, string | undefined>>) => !Object.values(texts).some(Boolean);

/** The first field that keeps a block from being complete, with its message. */
function blockProblem(it: PortalBlock): readonly [field: string, message: string] | undefined {
  if (it.kind === 'text' && isEmpty(it.texts)) return ['texts', 'required'];
  if ('label' in it && isEmpty(it.label)) return ['label', 'required'];
  return timingProblem(it);
}

const block = anyBlock.superRefine((it, context) => {
  const problem = blockProblem(it);
  if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] });
});

export const portalBlocks = z
  .array(block)
  .max(maxBlocks)
  .superRefine((list, context) => {
    const [, second] = list.flatMap((it, i) => (it.kind === 'advertisement' ? [i] : []));
    if (second !== undefined) context.addIssue({ code: 'custom', path: [second, 'kind'], message: 'only_once' });
  });
