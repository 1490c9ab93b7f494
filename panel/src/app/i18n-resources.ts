import 'i18next';
import type shell from '#app/shell.en.json';
import type auth from '#features/auth/auth.en.json';
import type locations from '#features/locations/locations.en.json';
import type common from '#lib/common.en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      auth: typeof auth;
      common: typeof common;
      locations: typeof locations;
      shell: typeof shell;
    };
  }
}
