import '#lib/texts.ts';
import type places from '#app/places.en.json';
import type shell from '#app/shell.en.json';
import type auth from '#features/auth/auth.en.json';
import type logs from '#features/logs/logs.en.json';
import type csvImport from '#ui/csv-import.en.json';
import type dateFields from '#ui/date-fields.en.json';
import type droppedFilters from '#ui/dropped-filters.en.json';
import type licenceState from '#ui/licence-state.en.json';
import type limit from '#ui/limit.en.json';
import type pictureField from '#ui/picture-field.en.json';
import type table from '#ui/table.en.json';
import type unsaved from '#ui/unsaved.en.json';

/** The texts of the shell, of shared components and of features without a routes file. */
declare module '#lib/texts.ts' {
  interface Texts {
    auth: typeof auth;
    'csv-import': typeof csvImport;
    'date-fields': typeof dateFields;
    'dropped-filters': typeof droppedFilters;
    'licence-state': typeof licenceState;
    limit: typeof limit;
    logs: typeof logs;
    'picture-field': typeof pictureField;
    places: typeof places;
    shell: typeof shell;
    table: typeof table;
    unsaved: typeof unsaved;
  }
}
