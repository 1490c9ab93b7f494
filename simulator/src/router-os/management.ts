import { openRouterOs, type RouterOsOptions } from './router-os.ts';

export interface Management extends Pick<RouterOsOptions, 'version' | 'username' | 'password' | 'login'> {
  readonly script?: string | undefined;
  readonly pollEverySeconds?: number | undefined;
}

/** Runs the management services and the polling scheduler. When the panel is unreachable, the next poll tries again. */
export const openManagement = async (
  management: Management | undefined,
  place: { readonly identity: string; readonly address: string },
  guests: NonNullable<RouterOsOptions['guests']>,
) => {
  if (!management) return undefined;
  const { script, pollEverySeconds, ...options } = management;
  const os = await openRouterOs({ ...options, ...place, guests });
  if (script !== undefined) os.paste(script);
  let polling: Promise<unknown> | undefined;
  const timer =
    script !== undefined && pollEverySeconds
      ? setInterval(() => {
          polling ??= os
            .poll()
            .catch(() => undefined)
            .finally(() => {
              polling = undefined;
            });
        }, pollEverySeconds * 1000)
      : undefined;
  return {
    os,
    close: async () => {
      clearInterval(timer);
      await polling;
      await os.close();
    },
  };
};
