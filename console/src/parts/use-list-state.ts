/** The state of the list on this page. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FilterValues, type ListSpec, type ListStateOf, listSearch, PAGE_SIZE } from './list-search.ts'

/** Reads the state of the list from the address. */
export function useListState<const Sort extends string, const Filters extends FilterValues>(
  spec: ListSpec<Sort, Filters>,
): ListStateOf<Sort, Filters> {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const { q = '', page = 1, sort = spec.sorts[0], order = spec.order ?? 'asc' } = listSearch(spec)(search)
  const names = Object.keys(spec.filters)
  const filters = Object.fromEntries(
    names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
  return {
    q,
    page,
    sort,
    isAscending: order === 'asc',
    filters: filters as ListStateOf<Sort, Filters>['filters'],
    offset: BigInt((page - 1) * PAGE_SIZE),
    limit: PAGE_SIZE,
    isFiltered: q !== '' || Object.keys(filters).length > 0,
    set(change) {
      const next = { ...search, page: undefined, ...change }
      const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
      void navigate({ to: '.', search: kept as never, replace: !('page' in change) })
    },
  }
}
