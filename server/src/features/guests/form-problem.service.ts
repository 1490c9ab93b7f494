import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { plainHttpPage, routerPath } from './arrival/addresses.ts';
import type { ClientInfo } from './client-info.ts';
import { type GuestAnswer, statusOf } from './guest-answer.ts';
import type { GuestServices } from './guest-services.ts';
import { type Frame, problemView } from './guest-views.ts';
import { visitOfBrowser } from './online/visit-cookie.ts';

const problems = [
  'page_expired',
  'visit_unknown',
  'data_over',
  'mail_over',
  'unknown_device',
] as const satisfies GuestProblem[];

/** Why a form led nowhere. */
export async function formProblem(
  { app, findContext }: GuestServices,
  frame: Frame,
  nas: string,
  asked: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const problem = problems.find(it => it === asked) ?? 'page_expired';
  const context = await findContext(nas, visitOfBrowser(app, nas, client)?.visit ?? { mac: '', ip: '' });
  const form = context ? routerPath(nas) : null;
  const languageLink = `/w/${nas}/problem?is=${problem}&lang={lang}`;
  // The router answers any plain page with a new sign-in page.
  const retry = !form && problem === 'page_expired' ? plainHttpPage : null;
  return { view: problemView(frame, { problem, context, form, retry, languageLink }), status: statusOf(problem) };
}
