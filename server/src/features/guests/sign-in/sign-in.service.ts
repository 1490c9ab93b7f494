import { email as emailShape } from '@portico/contract/fields.ts';
import type { GuestSignIn } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { FieldName, SignInView } from '@portico/contract/guests.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import { encryptParams, insertFailedLogins } from '#features/sessions/public.ts';
import type { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { approach, type GuestAnswer, type Guests, type Standing, signInPage } from '../arrival/check-arrival.ts';
import type { From } from '../client-info.ts';
import { findUnwelcome } from '../guest-context.queries.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, offeredMethods, problemView } from '../guest-views.ts';
import { afterFailure } from '../surveys/portal-rules.service.ts';
import { letIn } from './admit.service.ts';
import { agreementVersion } from './consents.queries.ts';
import { deviceFull } from './device-limit.service.ts';
import { passThrough } from './hand-over.service.ts';
import { type Attempt, type Method, type Refused, slip } from './methods/method.ts';
import { methodOf } from './methods/methods.ts';
import { phoneOf } from './methods/typed.ts';
import { sameCode } from './methods/username.ts';
import { throttles } from './sign-in-throttle.ts';

/** A guest sends the form of a method. */
export async function signIn(
  guests: Guests,
  frame: Frame,
  nas: string,
  form: GuestSignIn,
  from: From,
): Promise<GuestAnswer> {
  const { secrets, settings } = guests.app;
  const code = form.method === 'sms' && (form.code !== undefined || form.again !== undefined);
  const state = unpackState(secrets, code ? 'code' : 'sign-in', form.state);
  if (!state || state.nas !== nas) {
    return { view: problemView(frame, { problem: 'page_expired', languageLink: null }), status: 400 };
  }
  const at = await approach(guests, frame, state);
  if ('refused' in at) return at.refused;
  if (at.door.bypassed) return passThrough(guests, frame, at);
  const provider = offeredMethods(at.door.portal, settings).find(it => it.slug === form.method);
  if (!provider) return signInPage(guests, frame, at, { problem: 'page_expired' }, 400);
  const attempt = { app: guests.app, frame, at, options: provider.options, form, address: from.address };
  return tryMethod(guests, attempt as Attempt<'username'>, provider, from);
}

async function tryMethod(
  guests: Guests,
  attempt: Attempt<'username'>,
  provider: Provider,
  from: From,
): Promise<GuestAnswer> {
  const { frame, at, form } = attempt;
  const method = methodOf(provider.slug) as Method<'username'>;
  const { so = {} } = at.state;
  const throttle = throttles(at, from.address, provider.slug, method.target(form, so));
  const told = {
    chosen: provider.slug,
    values: kept(form),
    agreed: form.agree !== '' && form.agree === agreementVersion(at.door.portal),
  };
  let end = () => {};
  try {
    end = throttle.begin();
    const contact = contactOf(attempt, provider);
    const proof = 'problem' in contact ? contact : await method.prove(attempt);
    if ('visitorId' in proof) {
      const problem = await unwelcome(guests.app, at, proof.visitorId);
      const agreed = so['agree'] ?? form.agree;
      const guest = { ...proof, ...(contact as Contact), slug: provider.slug, agreed };
      if (problem) {
        await recordFailure(guests.app, at, provider, method.shown(form, so), { problem, of: proof.visitorId });
        const full = problem === 'over_limit' && (await deviceFull(guests, frame, at, guest));
        if (full) return full;
        const failed = await afterFailure(guests, frame, at, { problem });
        return failed ?? signInPage(guests, frame, at, { ...told, problem }, 422);
      }
      throttle.succeeded();
      return await letIn(guests, frame, at, guest, from);
    }
    const next = proof.so ? { ...at, state: { ...at.state, so: proof.so } } : at;
    if (!('problem' in proof)) return signInPage(guests, frame, next, { ...told, code: proof.code });
    if (!proof.slip && !proof.honest) throttle.failed();
    if (!proof.slip) await recordFailure(guests.app, at, provider, method.shown(form, so), proof);
    const { problem, fields = [], values = {}, code = null } = proof;
    const failed = !proof.slip && (await afterFailure(guests, frame, at, { problem, values }));
    if (failed) return failed;
    return signInPage(guests, frame, next, { ...told, problem, problemValues: values, wrong: fields, code }, 422);
  } catch (error) {
    const seconds = Number((error as AppError).values?.['seconds']);
    if (!seconds) throw error;
    const page = signInPage(guests, frame, at, { ...told, problem: 'too_many', problemValues: { seconds } }, 429);
    return { ...page, retryAfter: seconds } as GuestAnswer;
  } finally {
    end();
  }
}

/** What was typed and may be shown again. */
function kept(form: GuestSignIn): SignInView['values'] {
  const hidden = new Set(['state', 'method', 'lang', 'password', 'security_code', 'code', 'again', 'agree']);
  return Object.fromEntries(Object.entries(form).filter(([name]) => !hidden.has(name))) as SignInView['values'];
}

interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** The security code, and what the operator wants to know besides. Those who are at their second step have passed it. */
function contactOf({ at, form }: Attempt<'username'>, { slug, options }: Provider): Contact | Refused {
  const { so } = at.state;
  if (so) return { email: so['email'] || null, phone: null };
  const version = agreementVersion(at.door.portal);
  if (options.require_security_code && !sameCode(form.security_code, options.security_code ?? '')) {
    return { problem: 'wrong_security_code', fields: ['security_code'] };
  }
  if (version && form.agree !== version) return slip('agree_first');
  const missing: FieldName[] = [];
  if (options.collect_email && options.email_required && !form.email) missing.push('email');
  if (options.collect_phone && options.phone_required && slug !== 'sms' && !form.phone) missing.push('phone');
  if (missing.length) return slip('missing', ...missing);
  const email = emailShape.safeParse(form.email);
  if (options.collect_email && form.email && !email.success) return slip('bad_email', 'email');
  const phone = phoneOf(form.phone);
  if (options.collect_phone && slug !== 'sms' && form.phone && !phone) return slip('bad_phone', 'phone');
  return {
    email: options.collect_email && email.success ? email.data : null,
    phone: options.collect_phone ? (phone ?? null) : null,
  };
}

/** Why a guest who proved itself is still not let in. */
export const unwelcome = (app: App, { door, state }: Standing, visitorId: string): Promise<GuestProblem | null> =>
  app.db.withTenant(door.tenantId, tx =>
    findUnwelcome(tx, { visitorId, deviceId: door.device_id, mac: state.mac, ip: state.ip }),
  );

async function recordFailure(
  app: App,
  { door, state }: Standing,
  { slug }: Provider,
  params: Record<string, string>,
  { problem, of = null }: Pick<Refused, 'problem' | 'of'>,
): Promise<void> {
  const row = {
    tenant_id: door.tenantId,
    location_id: door.location_id,
    device_id: door.device_id,
    client_mac: state.mac,
    client_ip: state.ip,
    provider_slug: slug,
    params: encryptParams(app, params),
    reason: problem,
    visitor_id: of,
  };
  await app.db.withTenant(door.tenantId, tx => insertFailedLogins(tx, [row]));
}
