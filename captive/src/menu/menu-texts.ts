import type { MenuLanguage } from '@portico/contract/menu-view.ts';

interface MenuTexts {
  readonly menu: string;
  readonly desk: string;
  readonly search: string;
  readonly find: string;
  readonly nothing: string;
  readonly empty: string;
  readonly all: string;
  readonly others: string;
  readonly found: string;
  readonly ingredients: string;
  readonly allergens: string;
  readonly more: string;
  readonly minutes: string;
  readonly categories: string;
  readonly languages: string;
  readonly dark: string;
  readonly light: string;
  readonly poweredBy: string;
}

export const menuTexts: Readonly<Record<MenuLanguage, MenuTexts>> = {
  tr: {
    menu: 'Menü',
    desk: 'Masa',
    search: 'Menüde ara',
    find: 'Ara',
    nothing: 'Aradığınıza uyan bir şey yok.',
    empty: 'Menü henüz hazırlanıyor.',
    all: 'Tüm menü',
    others: 'Diğer',
    found: 'Bulunanlar',
    ingredients: 'İçindekiler',
    allergens: 'Alerjenler',
    more: 'Ayrıntılar',
    minutes: 'dk',
    categories: 'Kategoriler',
    languages: 'Diller',
    dark: 'Koyu görünüm',
    light: 'Açık görünüm',
    poweredBy: 'Sunan:',
  },
  en: {
    menu: 'Menu',
    desk: 'Table',
    search: 'Search the menu',
    find: 'Search',
    nothing: 'Nothing matches your search.',
    empty: 'The menu is still being prepared.',
    all: 'Whole menu',
    others: 'Other',
    found: 'Found',
    ingredients: 'Ingredients',
    allergens: 'Allergens',
    more: 'Details',
    minutes: 'min',
    categories: 'Categories',
    languages: 'Languages',
    dark: 'Dark look',
    light: 'Light look',
    poweredBy: 'By',
  },
};
