import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { plainHttpPage, routerPath } from './arrival/addresses.ts';
import type { ClientInfo } from './client-info.ts';
import { type GuestAnswer, statusOf } from './guest-answer.ts';
import type { GuestServices } from './guest-services.ts';
import { type Frame, problemView } from './guest-views.ts';
import { onlinePath } from './online/online-link.ts';
import { visitOfBrowser } from './online/visit-cookie.ts';

const problems = [
  'page_expired',
  'visit_unknown',
  'data_over',
  'mail_over',
  'unknown_device',
] as const satisfies GuestProblem[];

/** Why a form, or a link in a mail, led nowhere. */
export async function formProblem(
  { app, findContext }: GuestServices,
  frame: Frame,
  nas: string,
  asked: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const problem = problems.find(it => it === asked) ?? 'page_expired';
  const open = visitOfBrowser(app, nas, client);
  const context = await findContext(nas, open?.visit ?? { mac: '', ip: '' });
  const form = context ? routerPath(nas) : null;
  const languageLink = `/w/${nas}/problem?is=${problem}&lang={lang}`;
  // The router answers any plain page with a new sign-in page. The page after the sign-in mails another link.
  const elsewhere = !form && problem === 'page_expired' ? plainHttpPage : null;
  const retry = open && problem === 'mail_over' ? `${onlinePath(nas)}?lang=${frame.language}` : elsewhere;
  return { view: problemView(frame, { problem, context, form, retry, languageLink }), status: statusOf(problem) };
}
