/** The search parameters of a detail page whose tabs contain lists. */
import { type FilterValues, type ListSpec, listSearch } from './list-search.ts'
import { tabSearch } from './tab-search.ts'

/** For `validateSearch` of the route: the tab, and the parameters of the list in it. Each tab reads its own. */
export function tabListSearch(...specs: readonly ListSpec<string, FilterValues>[]) {
  return (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const kept = specs.map((spec) => listSearch(spec)(given))
    return Object.assign({}, tabSearch(given), ...kept) as Readonly<Record<string, unknown>>
  }
}
