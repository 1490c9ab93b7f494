import type { HandOver, HandOverResult } from '../driver.ts';
import { asRouterError, type RouterLink } from '../router-control.ts';

/** The controller may report no end, so each session gets one. */
const longestSeconds = 86_400;
const shortestSeconds = 60;

/**
 * Admits a guest through the gateway's controller, and then shows it the online page. The ticket is used up only once the
 * controller answers.
 */
export async function admitByController(it: HandOver): Promise<HandOverResult> {
  let link: RouterLink | undefined;
  try {
    link = await it.controller();
    if (!link?.admit) return { misconfigured: true };
    const decision = await it.authorize();
    if ('problem' in decision) return decision;
    const seconds = Math.max(shortestSeconds, Math.min(decision.sessionSeconds ?? longestSeconds, longestSeconds));
    await link.admit({ ...decision, mac: it.mac, login: it.login, seconds });
    const ends = Math.floor(Date.now() / 1000) + seconds;
    const grant = { class: decision.class, ends };
    return { redirect: it.onlineUrl(grant), admitted: grant };
  } catch (error) {
    const { kind } = asRouterError(error);
    // The guest can only try again; the operator finds the reason at the device's connection.
    return { problem: kind === 'unreachable' ? 'no_radius' : 'refused' };
  } finally {
    link?.close();
  }
}

/**
 * The facts of an arrival as an address, so that they fit the portal's `login` parameter. No browser goes there: the name
 * leads nowhere.
 */
export const packFacts = (facts: Readonly<Record<string, string>>): string =>
  `http://controller.internal/?${new URLSearchParams(Object.entries(facts).filter(([, value]) => value !== ''))}`;

export const isPacked = (login: URL): boolean => login.host === 'controller.internal' && login.pathname === '/';
