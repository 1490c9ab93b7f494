import type { Panel } from './panel.ts';

const categories = [
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

/** A small menu with twelve tables for the active location. */
export async function fillMenu(panel: Panel): Promise<void> {
  for (const { products, ...category } of categories) {
    const { id } = await panel.post<{ id: string }>('panel/qrmenu/category', category);
    for (const product of products) await panel.post('panel/qrmenu/product', { ...product, category_ids: [id] });
  }
  await panel.post('panel/qrmenu/desk', { title: 'Teras', prefix: 'T', number_start: 1, number_end: 12 });
}
