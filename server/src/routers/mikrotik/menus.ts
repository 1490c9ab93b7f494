/** A RouterOS entry: names and values, with its `.id`. */
export type Entry = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string>>;

/** RouterOS's menus, as REST and the binary API offer them alike. A menu is a path such as `ip/hotspot/active`. */
export interface Menus {
  /** The entries whose values equal those given, with only the properties named. */
  print(menu: string, where: Values, properties: readonly string[]): Promise<Entry[]>;
  add(menu: string, values: Values): Promise<void>;
  set(menu: string, id: string, values: Values): Promise<void>;
  remove(menu: string, id: string): Promise<void>;
}

/** An answer larger than this is none that a router would give. */
export const maxAnswerBytes = 524_288;
