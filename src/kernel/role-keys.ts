/** Lists of role keys of projects: compared, and as one text, so that a text search finds those that contain a key. */
import { searchText } from './fold-text.ts'

/** Role keys without repetitions. */
export function distinctKeys(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)]
}

/** Whether two lists contain the same role keys, in any order. */
export function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key) => other.includes(key))
}

export interface RoleListText {
  /** The keys as typed, each between two line breaks. */
  readonly roleKeys: string
  /** That key, folded. */
  readonly foldedRoleKeys: string
}

function joined(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `\n${keys.join('\n')}\n`
}

/** The searchable text of a list of role keys. */
export function listText(keys: readonly string[]): RoleListText {
  return { roleKeys: joined(keys), foldedRoleKeys: joined(keys.map(searchText)) }
}
