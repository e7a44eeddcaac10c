/** Fields and conditions for documents with a list of role keys. */
import { searchText } from '../../kernel/fold-text.ts'
import type { RoleListText } from '../../kernel/role-keys.ts'
import type { Filter } from '../../store/index.ts'

/** The fields that a kind with a list of role keys declares. */
export const ROLE_LIST_FIELDS = {
  roleKeys: { path: ['search', 'roleKeys'], type: 'text', indexed: false },
  foldedRoleKeys: {
    path: ['search', 'foldedRoleKeys'],
    type: 'text',
    isLong: true,
    selective: false,
    beside: ['roleKeys'],
  },
} as const

/** The condition that a list contains a key which compares to `text` by the contract's text method number `method`. */
export function roleListFilter(method: number, text: string): Filter<keyof RoleListText> {
  // A line break in the query would match across two keys.
  if (text.includes('\n')) return { any: [] }
  const ignoresCase = method % 2 === 1
  const key = ignoresCase ? searchText(text) : text
  const sought = [`\n${key}\n`, `\n${key}`, key, `${key}\n`][method >> 1] ?? key
  return { field: ignoresCase ? 'foldedRoleKeys' : 'roleKeys', contains: sought }
}

/** The condition that a list contains this key. */
export function holdsRoleKey(key: string): Filter<keyof RoleListText> {
  return roleListFilter(0, key)
}
