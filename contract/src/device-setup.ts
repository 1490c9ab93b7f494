import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { idParams, ipv4, time } from './fields.ts';
import { prefixLength } from './networks.ts';

/** A RouterOS interface name, limited to characters that need no escaping in a script. */
const interfaceName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._+@/-]*$/, 'interface_format');

const bits = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const mask = (prefix: number): number => (2 ** 32 - 2 ** (32 - prefix)) >>> 0;
const inNetwork = (address: string, network: string, prefix: number): boolean =>
  (bits(address) & mask(prefix)) >>> 0 === (bits(network) & mask(prefix)) >>> 0;

/** `24`, `/24`, `255.255.255.0` or `10.5.50.0/24` as a prefix length. */
export function subnetPrefix(typed: string): number | undefined {
  const [network, length] = typed.trim().split('/') as [string, string?];
  if (length !== undefined && network !== '' && !ipv4.safeParse(network).success) return undefined;
  return prefixLength(length ?? network);
}

/**
 * The values of the MikroTik script: the interface and address towards the internet, the router's address among the
 * guests, their subnet, and their interfaces.
 */
export const mikrotikScriptForm = z
  .object({
    gateway_interface: interfaceName,
    gateway_ip: ipv4,
    hotspot_address: z
      .string()
      .trim()
      .transform(typed => typed.split('/')[0]!)
      .pipe(ipv4),
    hotspot_subnet: z
      .union([z.string(), z.number()])
      .transform(typed => String(typed).trim())
      .refine(typed => {
        const prefix = subnetPrefix(typed);
        return prefix !== undefined && prefix >= 16 && prefix <= 30;
      }, 'subnet'),
    guestInterfaces: z.array(interfaceName).min(1).max(50),
    /** RouterOS 6.49 or 7. */
    version: z.enum(['6', '7']).default('7'),
  })
  .superRefine((it, context) => {
    const prefix = subnetPrefix(it.hotspot_subnet);
    if (prefix === undefined) return;
    const [network] = it.hotspot_subnet.split('/');
    const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (it.hotspot_subnet.includes('/') && network && !inNetwork(it.hotspot_address, network, prefix))
      complain('hotspot_address', 'outside_subnet');
    if (inNetwork(it.gateway_ip, it.hotspot_address, prefix)) complain('gateway_ip', 'gateway_overlap');
    if (it.guestInterfaces.includes(it.gateway_interface)) complain('guestInterfaces', 'gateway_among_guests');
  });
export type MikrotikScriptForm = z.output<typeof mikrotikScriptForm>;

const setupFile = z.object({
  /** The file's name on the gateway. */
  name: z.string(),
  text: z.string(),
});

const setup = <const P extends string>(path: P, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/v1/panel/device/${path}/:id`,
    access: 'update-devices',
    summary,
    params: idParams,
    reply: 'html',
    status: 200,
  });

export const deviceSetupApi = {
  mikrotikScript: endpoint({
    method: 'POST',
    path: '/v1/panel/device/mikrotik/script/:id',
    access: 'update-devices',
    summary: 'The setup script of a MikroTik router',
    params: idParams,
    body: mikrotikScriptForm,
    reply: 'text',
    status: 200,
  }),
  mikrotikScriptLink: endpoint({
    method: 'POST',
    path: '/v1/panel/device/mikrotik/script/:id/link',
    access: 'update-devices',
    summary: 'The setup script, a terminal command that fetches it once by a link, and a script that undoes it',
    params: idParams,
    body: mikrotikScriptForm,
    reply: one(
      z.object({
        script: z.string(),
        command: z.string(),
        /** Removes everything that the script added. */
        undo: z.string(),
        url: z.string(),
        expires_at: time,
      }),
    ),
    status: 200,
  }),
  script: endpoint({
    method: 'GET',
    path: '/v1/device/script/:token',
    access: 'public',
    summary: 'A setup script, fetched once by the router within half an hour',
    refusals: [409],
    params: z.object({ token: z.string().min(1).max(200) }),
    reply: 'text',
  }),
  files: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/setup-files',
    access: 'update-devices',
    summary: 'The configuration to paste on a gateway; it contains secrets. Empty for brands that are set up otherwise',
    params: idParams,
    reply: z.object({ data: z.array(setupFile) }),
  }),
  mikrotikLogin: setup('mikrotik/login', 'The login.html of a MikroTik hotspot'),
  sophosTemplate: setup('sophos/template', 'The sign-in template of a Sophos firewall'),
  loginFile: endpoint({
    method: 'GET',
    path: '/v1/device/login-file/:token',
    access: 'public',
    summary: 'A page of a hotspot, fetched by the router with the signed link of its script',
    refusals: [409],
    params: z.object({ token: z.string().min(1).max(200) }),
    query: z.object({ page: z.string().max(20).default('login').describe('its name without `.html`') }),
    reply: 'html',
  }),
} as const;
