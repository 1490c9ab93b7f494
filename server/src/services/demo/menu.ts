import type { Panel } from './panel.ts';

const cafe = [
  {
    title: 'Kahvaltı',
    title_en: 'Breakfast',
    description: '07.00 ile 12.00 arasında',
    description_en: 'From 7 am to noon',
    products: [
      {
        title: 'Serpme kahvaltı',
        title_en: 'Turkish breakfast spread',
        description: 'Peynirler, zeytin, bal, kaymak, menemen, sınırsız çay',
        description_en: 'Cheeses, olives, honey, clotted cream, menemen, tea without end',
        allergens: ['süt', 'yumurta', 'gluten'],
        allergens_en: ['milk', 'egg', 'gluten'],
        product_time: 20,
        calorie: 950,
        price: 480,
      },
      {
        title: 'Simit tabağı',
        title_en: 'Simit plate',
        description: 'Taze simit, beyaz peynir, domates, salatalık',
        description_en: 'Fresh simit, white cheese, tomato, cucumber',
        allergens: ['susam', 'gluten', 'süt'],
        allergens_en: ['sesame', 'gluten', 'milk'],
        product_time: 5,
        calorie: 420,
        price: 160,
      },
    ],
  },
  {
    title: 'İçecekler',
    title_en: 'Drinks',
    products: [
      { title: 'Çay', title_en: 'Tea', product_time: 3, calorie: 2, price: 30 },
      {
        title: 'Türk kahvesi',
        title_en: 'Turkish coffee',
        description: 'Yanında lokumla',
        description_en: 'With Turkish delight',
        product_time: 7,
        calorie: 35,
        price: 95,
      },
      {
        title: 'Limonata',
        title_en: 'Lemonade',
        description: 'Nane yaprağıyla, günlük',
        description_en: 'With mint, made daily',
        ingredients: ['limon', 'nane', 'su', 'şeker'],
        ingredients_en: ['lemon', 'mint', 'water', 'sugar'],
        product_time: 4,
        calorie: 130,
        price: 110,
      },
    ],
  },
  {
    title: 'Tatlılar',
    title_en: 'Desserts',
    products: [
      {
        title: 'Fıstıklı baklava',
        title_en: 'Pistachio baklava',
        description: 'Dört dilim',
        description_en: 'Four pieces',
        description_long: 'Antep fıstığı ve sade yağla, her sabah taze açılır.',
        description_long_en: 'With Antep pistachios and clarified butter, rolled fresh every morning.',
        allergens: ['fıstık', 'gluten', 'süt'],
        allergens_en: ['pistachio', 'gluten', 'milk'],
        product_time: 5,
        calorie: 540,
        price: 240,
      },
    ],
  },
];

const hotel = [
  {
    title: 'Odaya servis',
    title_en: 'Room service',
    description: 'Günün her saatinde',
    description_en: 'At any time of the day',
    products: [
      {
        title: 'Izgara çipura',
        title_en: 'Grilled sea bream',
        description: 'Roka, limon ve fırın patatesle',
        description_en: 'With rocket, lemon and baked potatoes',
        allergens: ['balık'],
        allergens_en: ['fish'],
        product_time: 30,
        calorie: 520,
        price: 640,
      },
      {
        title: 'Kulüp sandviç',
        title_en: 'Club sandwich',
        description: 'Tavuk, domates, patates kızartmasıyla',
        description_en: 'With chicken, tomato and chips',
        allergens: ['gluten', 'yumurta'],
        allergens_en: ['gluten', 'egg'],
        product_time: 20,
        calorie: 690,
        price: 380,
      },
    ],
  },
  {
    title: 'Plaj barı',
    title_en: 'Beach bar',
    products: [
      { title: 'Taze portakal suyu', title_en: 'Fresh orange juice', product_time: 5, calorie: 110, price: 140 },
      {
        title: 'Karpuz ve beyaz peynir',
        title_en: 'Watermelon and white cheese',
        allergens: ['süt'],
        allergens_en: ['milk'],
        product_time: 5,
        calorie: 210,
        price: 190,
      },
    ],
  },
];
const hospital = [
  {
    title: 'Kafeterya',
    title_en: 'Cafeteria',
    description: '07.00 ile 21.00 arasında, zemin katta',
    description_en: 'From 7 am to 9 pm, on the ground floor',
    products: [
      {
        title: 'Mercimek çorbası',
        title_en: 'Lentil soup',
        description: 'Limon ve tam buğday ekmeğiyle',
        description_en: 'With lemon and wholemeal bread',
        allergens: ['gluten'],
        allergens_en: ['gluten'],
        product_time: 3,
        calorie: 180,
        price: 70,
      },
      { title: 'Zeytinyağlı sebze', title_en: 'Vegetables in olive oil', product_time: 3, calorie: 240, price: 110 },
      { title: 'Çay', title_en: 'Tea', product_time: 2, calorie: 2, price: 15 },
    ],
  },
];
const menus = {
  cafe: { categories: cafe, desk: { title: 'Teras', prefix: 'T', number_end: 12 } },
  hotel: { categories: hotel, desk: { title: 'Oda', prefix: '', number_end: 24 } },
  hospital: { categories: hospital, desk: { title: 'Kafeterya', prefix: 'K', number_end: 20 } },
};
export type SampleMenu = keyof typeof menus;

/** A small menu with tables or rooms for the active location. */
export async function fillMenu(panel: Panel, name: SampleMenu): Promise<void> {
  const { categories, desk } = menus[name];
  for (const { products, ...category } of categories) {
    const { id } = await panel.post<{ id: string }>('panel/qrmenu/category', category);
    for (const product of products) await panel.post('panel/qrmenu/product', { ...product, category_ids: [id] });
  }
  await panel.post('panel/qrmenu/desk', { ...desk, number_start: 1 });
}
