import type { App } from '#lib/app.ts';
import type { Settings, SettingsError } from './settings.ts';

export type Values = Readonly<Record<string, string | boolean | undefined>>;
export type Print = (line: string) => void;

/** A command has `run`, or `alone` if it needs no database. Both print lines and return the exit code. */
export interface Command {
  readonly about: string;
  readonly options: Readonly<
    Record<string, { readonly type: 'string' | 'boolean'; readonly about: string; readonly must?: true }>
  >;
  /** The words that follow the command, as its help shows them. Only `alone` gets them. */
  readonly words?: string;
  /** The command works with a SECRET_KEY that is not the database's. */
  readonly anyKey?: true;
  readonly run?: (app: App, values: Values, print: Print) => Promise<number>;
  readonly alone?: (settings: Settings, values: Values, print: Print, words?: readonly string[]) => Promise<number>;
  /** The message of the command about settings that are not valid. Without it they are an error. */
  readonly refused?: (error: SettingsError, values: Values, print: Print) => number;
  /** With --offline: the part that works without the database. */
  readonly offline?: (settings: Settings, values: Values, print: Print) => Promise<number>;
}

/** The trimmed text of an option; undefined when it is missing or empty. */
export const text = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
};
