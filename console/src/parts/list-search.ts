/** The state of a list, kept in the address: search text, filters, sorting and page. Links to it can be shared. */

/** The values of each filter. */
export type FilterValues = Readonly<Record<string, readonly string[]>>

/** What a list can be filtered and sorted by. The first sorting is the default. */
export interface ListSpec<Sort extends string, Filters extends FilterValues> {
  readonly sorts: readonly [Sort, ...Sort[]]
  /** The default order; ascending unless told otherwise. */
  readonly order?: Order
  readonly filters: Filters
}

export type Order = 'asc' | 'desc'

/** The search parameters of a list. What is not set has its default and does not appear in the address. */
export type ListSearch<Sort extends string, Filters extends FilterValues> = {
  readonly q?: string
  readonly page?: number
  readonly sort?: Sort
  readonly order?: Order
} & { readonly [Name in keyof Filters]?: Filters[Name][number] }

/** The parameters of a spec, for `validateSearch` of the route. Anything else in the address is dropped. */
export function listSearch<const Sort extends string, const Filters extends FilterValues>(
  spec: ListSpec<Sort, Filters>,
) {
  return (given: Readonly<Record<string, unknown>>): ListSearch<Sort, Filters> => {
    const page = Number(given.page)
    const kept: Record<string, unknown> = {}
    if (typeof given.q === 'string' || typeof given.q === 'number') kept.q = String(given.q).slice(0, 200)
    if (Number.isInteger(page) && page > 1) kept.page = page
    if (spec.sorts.includes(given.sort as Sort)) kept.sort = given.sort
    if (given.order === 'asc' || given.order === 'desc') kept.order = given.order
    for (const [name, values] of Object.entries(spec.filters)) {
      if (values.includes(given[name] as string)) kept[name] = given[name]
    }
    return kept as ListSearch<Sort, Filters>
  }
}

/** How many rows a page of a list has. */
export const PAGE_SIZE = 25

/** The state of a list, with its defaults, and how to change it. */
export interface ListState {
  readonly q: string
  readonly page: number
  readonly sort: string
  readonly isAscending: boolean
  readonly filters: Readonly<Record<string, string | undefined>>
  /** For the query of the request. */
  readonly offset: bigint
  readonly limit: number
  readonly isFiltered: boolean
  /** Changes parameters; a change of anything but the page goes to the first page. Undefined removes one. */
  set(change: Readonly<Record<string, string | number | undefined>>): void
}

/** The state of a list whose sortings and filters are known by name. */
export interface ListStateOf<Sort extends string, Filters extends FilterValues> extends ListState {
  readonly sort: Sort
  readonly filters: { readonly [Name in keyof Filters & string]?: Filters[Name][number] }
}
