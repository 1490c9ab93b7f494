import 'i18next';
import type shell from '#app/shell.en.json';
import type account from '#features/account/account.en.json';
import type audit from '#features/audit/audit.en.json';
import type auth from '#features/auth/auth.en.json';
import type customers from '#features/customers/customers.en.json';
import type dashboard from '#features/dashboard/dashboard.en.json';
import type devices from '#features/devices/devices.en.json';
import type guides from '#features/guides/guides.en.json';
import type identity from '#features/identity/identity.en.json';
import type integrations from '#features/integrations/integrations.en.json';
import type locations from '#features/locations/locations.en.json';
import type logs from '#features/logs/logs.en.json';
import type notifications from '#features/notifications/notifications.en.json';
import type onboarding from '#features/onboarding/onboarding.en.json';
import type portalEditor from '#features/portals/portal-editor.en.json';
import type portals from '#features/portals/portals.en.json';
import type profiles from '#features/profiles/profiles.en.json';
import type qrMenu from '#features/qr-menu/qr-menu.en.json';
import type reportMails from '#features/report-mails/report-mails.en.json';
import type reports from '#features/reports/reports.en.json';
import type sessions from '#features/sessions/sessions.en.json';
import type team from '#features/team/team.en.json';
import type tenants from '#features/tenants/tenants.en.json';
import type visitor from '#features/visitors/visitor.en.json';
import type visitors from '#features/visitors/visitors.en.json';
import type common from '#lib/common.en.json';
import type csvImport from '#ui/csv-import.en.json';
import type daysForm from '#ui/days-form.en.json';
import type pictureField from '#ui/picture-field.en.json';
import type sortable from '#ui/sortable.en.json';

/** The English texts are what the compiler checks every key by. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      account: typeof account;
      audit: typeof audit;
      auth: typeof auth;
      common: typeof common;
      dashboard: typeof dashboard;
      'csv-import': typeof csvImport;
      'days-form': typeof daysForm;
      customers: typeof customers;
      devices: typeof devices;
      guides: typeof guides;
      identity: typeof identity;
      integrations: typeof integrations;
      locations: typeof locations;
      logs: typeof logs;
      notifications: typeof notifications;
      onboarding: typeof onboarding;
      'picture-field': typeof pictureField;
      'portal-editor': typeof portalEditor;
      portals: typeof portals;
      profiles: typeof profiles;
      'qr-menu': typeof qrMenu;
      'report-mails': typeof reportMails;
      reports: typeof reports;
      sessions: typeof sessions;
      shell: typeof shell;
      sortable: typeof sortable;
      team: typeof team;
      tenants: typeof tenants;
      visitor: typeof visitor;
      visitors: typeof visitors;
    };
  }
}
