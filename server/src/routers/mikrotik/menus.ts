/** A RouterOS entry: names and values, with its `.id`. */
export type Entry = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string>>;

/** RouterOS's menus, the same by REST and by the binary API. A menu is a path such as `ip/hotspot/active`. */
export interface Menus {
  /** The named properties of the entries whose values match. */
  print(menu: string, where: Values, properties: readonly string[]): Promise<Entry[]>;
  add(menu: string, values: Values): Promise<void>;
  set(menu: string, id: string, values: Values): Promise<void>;
  remove(menu: string, id: string): Promise<void>;
}

/** No router sends a larger answer. */
export const maxAnswerBytes = 524_288;
