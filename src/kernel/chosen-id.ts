/** The one rule for IDs that callers choose, in requests and in imported files. Existing IDs are never checked again. */

/** The kinds of objects with IDs that callers can choose. */
export type ChosenKind = 'user' | 'organization' | 'project' | 'application' | 'group'

const LONGEST = 200
/** What separates the parts of an address on the web, or is read as a separator. */
const SEPARATOR = /[/\\?#%]/
const UNSEEN = /[\s\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const ASCII = /^[\x21-\x7e]*$/
/** What the server, visitors and callers without a token were once called in the log, and the caller in addresses. */
const OWN_WORDS: ReadonlySet<string> = new Set(['system', 'server', 'visitor', 'anonymous', 'me', 'self'])
/** What the server derives: IDs of agents at a project and of clients that registered themselves, and machines in tokens. */
const DERIVED = [/^agent:/, /^agent-[\w-]{43}$/, /^dcr-\d{18}$/, /^machine:/]
/**
 * A scheme such as `mailto:`, or an opening bracket or quote, before an address, and what closes it. A domain without a dot
 * is nobody's: IDs such as `client@clients` of other products stay.
 */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?[<"'(]*[^:@]+(?:@[^:@]*)*@\[?([^:@]+?)[\]>"').]*$/

/** As it may be read by others: without ligatures, wide forms and capitals. */
function plain(id: string): string {
  return id.normalize('NFKC').toLowerCase()
}

/** The domain of the email address that an ID reads as; undefined when it does not read as one. */
export function addressDomain(id: string): string | undefined {
  const domain = ADDRESS.exec(plain(id))?.[1]
  return domain !== undefined && /[.:]/.test(domain) ? domain : undefined
}

/**
 * Why `id` cannot be chosen for a kind; undefined when it can. That an ID which reads as an email address is in a proven
 * domain depends on the organization, see `chosenIdProblem`.
 */
export function idProblem(kind: ChosenKind, id: string): string | undefined {
  const text = plain(id)
  const { length } = [...id]
  if (length === 0 || length > LONGEST) return `must have 1 to ${LONGEST} characters`
  if (!id.isWellFormed() || UNSEEN.test(id) || UNSEEN.test(text)) {
    return 'must not contain spaces, control or invisible characters'
  }
  // The other IDs are sent in headers.
  if (kind !== 'user' && !ASCII.test(id)) return 'must consist of printable ASCII characters without spaces'
  if (SEPARATOR.test(text)) return 'must not contain / \\ ? # or %'
  if (text === '.' || text === '..') return 'must not be . or ..'
  if (OWN_WORDS.has(text) || DERIVED.some((form) => form.test(text))) return 'is reserved for the server'
  return undefined
}
