/** Finds out whether a filter looks inside texts, which no index answers. */
import type { Filter } from '../types.ts'

/** Whether matches of a filter are found by looking inside texts: at what they contain, or how they end. */
export function looksInsideTexts(filter: Filter | undefined): boolean {
  if (filter === undefined || 'not' in filter) return false
  if ('all' in filter) return filter.all.some(looksInsideTexts)
  if ('any' in filter) return filter.any.some(looksInsideTexts)
  return ('contains' in filter && filter.contains !== '') || ('endsWith' in filter && filter.endsWith !== '')
}
