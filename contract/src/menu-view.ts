import type { PictureSizes } from './picture-sizes.ts';

/** The data of the public QR menu's page. Texts are in the page's language. */

export const menuLanguages = ['tr', 'en'] as const;
export type MenuLanguage = (typeof menuLanguages)[number];

export interface MenuProduct {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly more: string;
  readonly ingredients: readonly string[];
  readonly allergens: readonly string[];
  /** Minutes, and kcal. */
  readonly minutes: number | null;
  readonly calorie: number | null;
  readonly price: number | null;
  readonly currency: string;
  readonly image: { readonly small: string; readonly large: string } | null;
}

export interface MenuSection {
  /** Null: products that are in no category. */
  readonly id: string | null;
  readonly title: string;
  readonly description: string;
  readonly products: readonly MenuProduct[];
}

export interface MenuView {
  readonly language: MenuLanguage;
  /** The guest's choice; null follows the phone. */
  readonly look: 'light' | 'dark' | null;
  readonly nonce: string;
  readonly script: string;
  /** The menu's own path, without a query. */
  readonly path: string;
  readonly locationName: string;
  readonly deskName: string;
  readonly brand: { readonly name: string; readonly logo: string | null; readonly color: string };
  /** The size of the logo; the page keeps room for it. */
  readonly sizes: PictureSizes;
  /** Every category with visible products. */
  readonly categories: readonly { readonly id: string | null; readonly title: string }[];
  /** A long menu shows one category at a time. Undefined: all of them. */
  readonly chosen: string | null | undefined;
  readonly search: string;
  readonly sections: readonly MenuSection[];
}
