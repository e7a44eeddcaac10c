/** The search parameter of the tabs of a detail page. */

/** For `validateSearch` of the route. */
export function tabSearch(given: Readonly<Record<string, unknown>>): { readonly tab?: string } {
  return typeof given.tab === 'string' ? { tab: given.tab } : {}
}
