import type { Product } from '@portico/contract/qr-menu.ts';
import { useTranslation } from 'react-i18next';
import { MenuList } from '#features/qr-menu/menu-list.tsx';
import { useProducts } from '#features/qr-menu/qr-menu.api.ts';
import { VisibilityStatus } from '#features/qr-menu/visibility-status.tsx';
import { formatMoney, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';

const ProductForm = lazyPart(() => import('#features/qr-menu/product-form.tsx'), 'ProductForm');

export function ProductsPage() {
  const { t } = useTranslation('qr-menu');
  const [search] = useListSearch();
  const products = useProducts(search);
  const columns: Column<Product>[] = [
    {
      key: 'categories',
      onPhone: true,
      label: t('categories'),
      cell: row => row.category_ids.map(({ title }) => title).join(', ') || '–',
    },
    { key: 'description', label: t('description'), cell: row => row.description || '–', from: 'lg' },
    {
      key: 'time',
      label: t('time'),
      cell: row => (row.product_time === null ? '–' : t('minutes', { amount: formatNumber(row.product_time) })),
      numeric: true,
      from: 'md',
    },
    {
      key: 'calorie',
      label: t('calorie'),
      cell: row => (row.calorie === null ? '–' : `${formatNumber(row.calorie)} kcal`),
      numeric: true,
      from: 'md',
    },
    {
      key: 'price',
      onPhone: true,
      label: t('price'),
      cell: row => (row.price === null ? '–' : formatMoney(row.price, row.currency, true)),
      numeric: true,
    },
    {
      key: 'status',
      label: t('status'),
      nowrap: true,
      cell: row => <VisibilityStatus status={row.status} />,
      onPhone: true,
    },
  ];
  return (
    <MenuList
      kind="product"
      query={products}
      columns={columns}
      form={(product, close) => (
        <ProductForm
          product={product}
          usual={products.data?.data.find(row => row.price !== null)?.currency}
          onClose={close}
        />
      )}
    />
  );
}
