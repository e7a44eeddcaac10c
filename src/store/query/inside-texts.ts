/** Finds the conditions of a filter that look inside texts, which no index answers. */
import type { Filter } from '../types.ts'

/** A condition on what a text of a document contains or ends with. */
export interface InsideText {
  readonly field: string
  readonly sought: string
  readonly where: 'anywhere' | 'at the end'
  /** Behind it, matches have this character or one beyond ASCII, or were cut there. */
  readonly next?: string | undefined
}

function conditionOf(filter: Filter): InsideText | undefined {
  if ('contains' in filter && filter.contains !== '') {
    return { field: filter.field, sought: filter.contains, where: 'anywhere', next: filter.next }
  }
  if ('endsWith' in filter && filter.endsWith !== '') {
    return { field: filter.field, sought: filter.endsWith, where: 'at the end' }
  }
  return undefined
}

/** Whether a filter looks inside texts. */
export function looksInsideTexts(filter: Filter | undefined): boolean {
  if (filter === undefined || 'not' in filter) return false
  if ('all' in filter) return filter.all.some(looksInsideTexts)
  if ('any' in filter) return filter.any.some(looksInsideTexts)
  return conditionOf(filter) !== undefined
}

/** Conditions of which every match meets at least one; of several such lists, the shortest. Undefined: there is none. */
export function conditionsInside(filter: Filter | undefined): readonly InsideText[] | undefined {
  if (filter === undefined || 'not' in filter) return undefined
  if ('all' in filter) {
    const lists = filter.all.map(conditionsInside).filter((list) => list !== undefined)
    return lists.sort((one, other) => one.length - other.length)[0]
  }
  if ('any' in filter) {
    const lists = filter.any.map(conditionsInside)
    return lists.length === 0 || lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
  }
  const condition = conditionOf(filter)
  return condition && [condition]
}
