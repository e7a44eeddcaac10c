/** Addresses that a directory has given a user, as an index finds the user by each of them. */
import { searchText } from '../../kernel/fold-text.ts'
import { isStorableText } from '../../store/index.ts'

/** The key under which SCIM keeps the addresses of a user, as a list in JSON. */
export const EMAILS_KEY = 'urn:zitadel:scim:emails'

/** The fields with one address each: directories know three types, work, home and other. */
export const LISTED_FIELDS = ['listed1', 'listed2', 'listed3'] as const

/** Addresses of an entry, folded, and whether it has others. */
export interface ListedValues {
  readonly listed1?: string
  readonly listed2?: string
  readonly listed3?: string
  readonly more?: 1
}

/** What is said about an entry with several addresses; a single one is that of the user, who is found by it anyway. */
export function listedValues(key: string, value: string): ListedValues | undefined {
  if (key !== EMAILS_KEY) return undefined
  const texts = textsOf(Buffer.from(value, 'base64').toString('utf8'))
  if (texts.length < 2) return undefined
  const searched = texts.filter(isStorableText).slice(0, LISTED_FIELDS.length)
  const fields = searched.map((text, index) => [LISTED_FIELDS[index], searchText(text)])
  return { ...Object.fromEntries(fields), ...(searched.length < texts.length && { more: 1 }) }
}

/** Anybody who may write metadata can write something else under the key. */
function textsOf(json: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.map((one) => one?.value).filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
