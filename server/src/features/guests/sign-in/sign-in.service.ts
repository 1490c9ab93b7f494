import { email as emailShape } from '@portico/contract/fields.ts';
import type { FieldName } from '@portico/contract/guest-fields.ts';
import type { GuestSignIn } from '@portico/contract/guest-forms.ts';
import type { SignInView } from '@portico/contract/guests.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import { insertFailedLogins, typedColumns } from '#features/sessions/public.ts';
import type { Attempt as Guess } from '#features/throttle/public.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, offeredMethods, problemView } from '../guest-views.ts';
import { afterFailure } from '../surveys/portal-rules.service.ts';
import { admitGuest } from './admit.service.ts';
import { chooseSessionToEnd } from './device-limit.service.ts';
import { passThrough } from './hand-over.service.ts';
import { allowedBy, hasAccepted, tickedIn } from './marketing.ts';
import { AlreadyUsed, type Attempt, inputError, type Method, type Refused } from './methods/method.ts';
import { methodOf } from './methods/methods.ts';
import { phoneOf } from './methods/phone.ts';
import { stepOf } from './methods/sms.ts';
import { sameCode } from './methods/username.ts';
import type { PageMessage } from './page-message.ts';
import { refusalMessage } from './refusal-values.ts';
import { type PageOptions, signInPage } from './sign-in-page.ts';
import { beginGuess, perDevice } from './sign-in-throttle.ts';

/** Handles the form of a sign-in method. */
export async function signIn(
  services: GuestServices,
  frame: Frame,
  nas: string,
  form: GuestSignIn,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { secrets, settings } = services.app;
  const isCodeStep = form.method === 'sms' && (form.code !== undefined || form.again !== undefined);
  const state = isCodeStep ? unpackState(secrets, 'code', form.state) : unpackState(secrets, 'sign-in', form.state);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const request = await checkArrival(services, frame, state.visit);
  if ('refused' in request) return request.refused;
  const { context } = request;
  if (context.bypassed) return passThrough(services, frame, request);
  const provider = offeredMethods(context.portal, settings).find(it => it.slug === form.method);
  if (!provider) return signInPage(services, frame, request, { problem: 'page_expired' }, { status: 400 });
  const previous =
    state.step === 'code'
      ? { phone: state.phone, email: state.email, agree: state.agree, allowed: state.allowed }
      : undefined;
  const attempt = {
    app: services.app,
    authorize: services.authorize,
    frame,
    request,
    previous,
    options: provider.options,
    form,
    address: client.address,
    client,
  };
  return tryMethod(services, attempt as Attempt<'username'>, provider, client);
}

async function tryMethod(
  services: GuestServices,
  attempt: Attempt<'username'>,
  provider: Provider,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const { frame, request, form, previous } = attempt;
  const method = methodOf(provider.slug) as Method<'username'>;
  const { place } = request.context;
  const target = method.target(form, previous, place);
  const message = {
    chosen: provider.slug,
    values: previous ? { phone: previous.phone, email: previous.email } : shownAgain(form),
    ticked: tickedIn(form, request.context.portal, frame.language),
  };
  const page = (more: PageMessage, options: PageOptions) =>
    signInPage(services, frame, request, { ...message, ...more }, options);
  const refusedPage = ({ problem, fields = [], values = {}, code, next = previous }: Refused) => {
    const shown = { problem, problemValues: values, wrong: fields, code: code ?? null };
    return page(shown, { status: 422, code: code ? next : undefined });
  };
  /** The survey after a failure leads back to the form. */
  const withTyped = (answer: GuestAnswer): GuestAnswer => {
    if ('redirect' in answer || !answer.address?.kept) return answer;
    const { path, kept } = answer.address;
    return { ...answer, address: { path, kept: { ...kept, message } } };
  };
  const recordFailure = (it: Pick<Refused, 'problem' | 'visitorId'>) =>
    insertFailure(app, request, provider, method.recorded(form, previous, place), it);
  let guess: Guess | undefined;
  try {
    guess = await beginGuess(app, request, { address: client.address, slug: provider.slug, target });
    const contact = contactOf(attempt, provider);
    const proof = 'problem' in contact ? contact : await method.prove(attempt);
    if ('problem' in proof) {
      const { problem, values = {}, inputError: isInputError } = proof;
      if (!isInputError && !proof.notAGuess) await guess.failed();
      if (!isInputError) await recordFailure(proof);
      const elsewhere = !isInputError && (await afterFailure(services, frame, request, { problem, values }));
      if (elsewhere) return withTyped(elsewhere);
      return refusedPage(proof);
    }
    if ('code' in proof) return page({ code: proof.code }, { code: proof.next });
    const { visitorId, byAddress = false, use } = proof;
    const problem = await services.refusalFor(request, visitorId);
    const agreed = previous?.agree ?? form.agree;
    const allowed = previous?.allowed ?? allowedBy(form, request.context.portal, frame.language);
    const code = previous && stepOf(previous.phone);
    const shownAgain = { message: { ...message, ...(code && { code }) }, code: previous };
    const known = { visitorId, ...(contact as Contact), slug: provider.slug, agreed, allowed, byAddress };
    const guest = { ...known, use, shownAgain };
    if (problem) {
      if (use) await app.db.withTenant(request.context.tenantId, tx => use(tx));
      await recordFailure({ problem, visitorId });
      const canChoose = problem === 'over_limit' && !byAddress;
      const choice = canChoose ? await chooseSessionToEnd(services, frame, request, guest) : undefined;
      if (choice) return choice;
      const refusal = await refusalMessage(app, request.context, visitorId, problem);
      const elsewhere = await afterFailure(services, frame, request, { problem, values: refusal.problemValues ?? {} });
      return elsewhere ? withTyped(elsewhere) : page(refusal, { status: 422 });
    }
    await guess.succeeded(perDevice);
    return await admitGuest(services, frame, request, guest, client);
  } catch (error) {
    if (error instanceof AlreadyUsed) return refusedPage(error.refused);
    if (error instanceof AppError && error.code === 'mails_over') return page({ problem: 'sms_over' }, { status: 422 });
    if (!(error instanceof AppError && error.code === 'too_many')) throw error;
    const { seconds = 60 } = error.values;
    const answer = page({ problem: 'too_many', problemValues: { seconds } }, { status: 429 });
    return 'view' in answer ? { ...answer, retryAfter: seconds } : answer;
  } finally {
    await guess?.end();
  }
}

/** The typed values that the page may show again. */
export function shownAgain(form: GuestSignIn): SignInView['values'] {
  const hidden = new Set(['state', 'method', 'lang', 'password', 'security_code', 'code', 'again', 'agree', 'notice']);
  return Object.fromEntries(
    Object.entries(form).filter(([name, value]) => value && !hidden.has(name) && !name.startsWith('allow_')),
  ) as SignInView['values'];
}

interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** Checks the security code and the agreements, and reads the collected contact data. The second step has passed this already. */
function contactOf(
  { request, form, previous, frame }: Attempt<'username'>,
  { slug, options }: Provider,
): Contact | Refused {
  if (previous) return { email: previous.email || null, phone: null };
  const { portal } = request.context;
  if (options.require_security_code && !sameCode(form.security_code, options.security_code ?? ''))
    return { problem: 'wrong_security_code', fields: ['security_code'] };
  if (!hasAccepted(form, portal)) return inputError('agree_first');
  const missing: FieldName[] = [];
  if (options.collect_email && options.email_required && !form.email) missing.push('email');
  if (options.collect_phone && options.phone_required && slug !== 'sms' && !form.phone) missing.push('phone');
  // A guest who allows news by a channel has to give its address or number.
  for (const { channel } of allowedBy(form, portal, frame.language)) {
    if (channel === 'email' && options.collect_email && !form.email) missing.push('email');
    if (channel !== 'email' && options.collect_phone && slug !== 'sms' && !form.phone) missing.push('phone');
  }
  if (missing.length) return inputError('missing', ...missing);
  const email = emailShape.safeParse(form.email);
  if (options.collect_email && form.email && !email.success) return inputError('bad_email', 'email');
  const phone = phoneOf(form.phone, request.context.place);
  if (options.collect_phone && slug !== 'sms' && form.phone && !phone) return inputError('bad_phone', 'phone');
  return {
    email: options.collect_email && email.success ? email.data : null,
    phone: options.collect_phone ? (phone ?? null) : null,
  };
}

async function insertFailure(
  app: App,
  { context, visit }: GuestRequest,
  { slug }: Provider,
  params: Record<string, string>,
  { problem, visitorId = null }: Pick<Refused, 'problem' | 'visitorId'>,
): Promise<void> {
  const row = {
    tenant_id: context.tenantId,
    location_id: context.location_id,
    device_id: context.device_id,
    client_mac: visit.mac,
    client_ip: visit.ip,
    provider_slug: slug,
    ...typedColumns(app, context.tenantId, params),
    reason: problem,
    visitor_id: visitorId,
  };
  await app.db.withTenant(context.tenantId, tx => insertFailedLogins(tx, [row]));
}
