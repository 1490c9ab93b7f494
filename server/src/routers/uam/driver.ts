import type { SetupFacts } from '../driver.ts';
import { uamDriver } from './uam-driver.ts';
import { uamSecret } from './uam-login.ts';

/** Vendors have their own forms for these values, under similar names. */
const values = (it: SetupFacts): string => `UAM server URL (login page): ${it.portalUrl}
UAM secret:                  ${uamSecret(it.secret)}
UAM port:                    3990
RADIUS server:               ${it.radius.host}
RADIUS ports:                ${it.radius.auth_port} (sign-in), ${it.radius.acct_port} (accounting)
RADIUS secret:               ${it.secret}
RADIUS NAS identifier:       ${it.nasIdentifier}
CoA (Disconnect) port:       ${it.coaPort}
Allowed before sign-in:      ${new URL(it.portalUrl).hostname}
`;

/** Any other access point or controller that speaks UAM. */
export const uam = uamDriver('uam', it => [{ name: 'UAM', text: values(it) }]);
