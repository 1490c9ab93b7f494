import type { devicesApi } from '@portico/contract/devices.ts';
import { say } from '@portico/contract/validation.ts';
import { orMisspelled } from '#db/misspelled.ts';
import { inLocations } from '#db/scope.ts';
import { listScope } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged, whole } from '#http/page.ts';
import { issueCertificate, listCertificates, revokeCertificate } from './certificates.service.ts';
import { listCommands, retryCommand } from './commands.service.ts';
import { testConnection } from './connection.service.ts';
import { deleteSelected, switchSelected } from './device-selection.service.ts';
import { findBrand, listBrands, listDevices, listModels } from './devices.queries.ts';
import {
  createDevice,
  deleteDevice,
  forgetCertificate,
  getDevice,
  licenseDevice,
  putDevice,
  renewSecret,
  setHotspot,
  updateDevice,
} from './devices.service.ts';
import { examine, progress } from './doctor.service.ts';
import { loginFile } from './login-file.service.ts';
import { acceptLoginHost } from './login-hosts.service.ts';
import { exportMacs, importMacs, previewMacs } from './mac-file.service.ts';
import * as parts from './networks.service.ts';
import { answer, poll } from './poll.service.ts';
import { fetchScript, linkScript } from './script-link.service.ts';
import { filesOf, mikrotikLogin, scriptOf, sophosTemplate } from './setup.service.ts';

export const devicesRoutes: Handlers<typeof devicesApi> = {
  list: async call => {
    const { locationIds } = call.query;
    const scope = locationIds ? inLocations(call.actor.reach, locationIds) : listScope(call.actor, call.query);
    const rows = await call.read(tx =>
      orMisspelled('devices', scope, call.query, like => listDevices(tx, scope, call.query, like)),
    );
    return paged(call, rows);
  },
  brands: async call => whole(call, await call.read(listBrands)),
  models: async call =>
    whole(call, await call.inTenant(async tx => listModels(tx, found(await findBrand(tx, call.params.id)).id))),
  create: async call => ({ data: await createDevice(call, call.body) }),
  get: async call => ({ data: await getDevice(call, call.params.id) }),
  update: async call => ({ data: await updateDevice(call, call.params.id, call.body) }),
  putByExternalId: async call => {
    const { made, data } = await putDevice(call, call.params.externalId);
    if (made) call.reply.code(201);
    return { data };
  },
  delete: call => deleteDevice(call, call.params.id),
  renewSecret: async call => ({ data: await renewSecret(call, call.params.id) }),
  license: async call => ({ data: await licenseDevice(call, call.params.id, call.body) }),
  enableHotspot: async call => ({ data: await setHotspot(call, call.params.id, true) }),
  disableHotspot: async call => ({ data: await setHotspot(call, call.params.id, false) }),
  selected: {
    hotspot: async call => ({ data: await switchSelected(call, call.body) }),
    delete: async call => ({ data: await deleteSelected(call, call.body.ids) }),
  },
  setup: {
    mikrotikScript: call => scriptOf(call, call.params.id, call.body),
    mikrotikScriptLink: async call => ({ data: await linkScript(call, call.params.id, call.body) }),
    script: call => fetchScript(call, call.params.token),
    files: async call => ({ data: await filesOf(call, call.params.id) }),
    mikrotikLogin: call => mikrotikLogin(call, call.params.id),
    sophosTemplate: call => sophosTemplate(call, call.params.id),
    loginFile: call => loginFile(call, call.params.token, call.query.page),
  },
  doctor: {
    examine: async call => ({ data: await examine(call, call.params.id) }),
    progress: async call => ({ data: await progress(call, call.params.id) }),
    acceptHost: ({ actor, params, body, inTenant }) => inTenant(tx => acceptLoginHost(tx, actor, params.id, body.host)),
  },
  certificates: {
    list: async call =>
      paged(call, await call.inTenant(tx => listCertificates(tx, call.actor, call.params.id, call.query))),
    issue: async call => ({ data: await issueCertificate(call, call.params.id, call.body) }),
    revoke: async ({ actor, params, inTenant }) => ({
      data: await inTenant(tx => revokeCertificate(tx, actor, params)),
    }),
  },
  networks: {
    list: async call =>
      paged(call, await call.inTenant(tx => parts.listNetworks(tx, call.actor, call.params.id, call.query))),
    create: async ({ actor, params, body, inTenant }) => ({
      data: await inTenant(tx => parts.createNetwork(tx, actor, params.id, body)),
    }),
    update: async ({ actor, params, body, inTenant }) => ({
      data: await inTenant(tx => parts.updateNetwork(tx, actor, params, body)),
    }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => parts.deleteNetwork(tx, actor, params)),
  },
  macs: {
    list: async call =>
      paged(call, await call.inTenant(tx => parts.listMacs(tx, call.actor, call.params.id, call.query))),
    create: async ({ actor, params, body, inTenant, language }) => {
      const { rule, other } = await inTenant(tx => parts.createMac(tx, actor, params.id, body));
      return { data: rule, warnings: other ? [say(`mac_also_${other}`, language)] : [] };
    },
    export: async call => {
      const lines = await exportMacs(call, call.params.id);
      call.reply.header('content-disposition', 'attachment; filename="mac-list.csv"');
      return lines;
    },
    preview: async call => ({ data: await previewMacs(call, call.params.id, call.file) }),
    import: async call => ({ data: await importMacs(call, call.params.id, call.file) }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => parts.deleteMac(tx, actor, params)),
  },
  control: {
    list: async call =>
      paged(call, await call.inTenant(tx => listCommands(tx, call.actor, call.params.id, call.query))),
    retry: async ({ actor, params, inTenant }) => ({ data: await inTenant(tx => retryCommand(tx, actor, params)) }),
    test: async call => ({ data: await testConnection(call, call.params.id, call.body) }),
    forgetCertificate: call => forgetCertificate(call, call.params.id),
    poll: call => poll(call, { nas: call.params.nas, version: call.query.version }),
    answer: call => answer(call, call.params.nas, call.query),
  },
};
