import type { Category } from '@portico/contract/qr-menu.ts';
import { useTranslation } from 'react-i18next';
import { MenuList } from '#features/qr-menu/menu-list.tsx';
import { useCategories } from '#features/qr-menu/qr-menu.api.ts';
import { VisibilityStatus } from '#features/qr-menu/visibility-status.tsx';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';

const CategoryForm = lazyPart(() => import('#features/qr-menu/category-form.tsx'), 'CategoryForm');

export function CategoriesPage() {
  const { t } = useTranslation('qr-menu');
  const [search] = useListSearch();
  const columns: Column<Category>[] = [
    { key: 'title_en', label: t('english'), cell: row => row.title_en || '–', onPhone: true },
    { key: 'description', label: t('description'), cell: row => row.description || '–', from: 'md' },
    {
      key: 'status',
      label: t('status'),
      nowrap: true,
      cell: row => <VisibilityStatus status={row.status} />,
      onPhone: true,
    },
    { key: 'created', label: t('createdAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'md' },
  ];
  return (
    <MenuList
      kind="category"
      query={useCategories(search)}
      columns={columns}
      form={(category, close) => <CategoryForm category={category} onClose={close} />}
    />
  );
}
