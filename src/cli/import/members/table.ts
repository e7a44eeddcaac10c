/**
 * What is decided about each member of an object of somebody else. A reader has one table for each kind of object, and asks
 * `decide(object, TABLE)` once per object: everything in `closed` means that it must not be active here (a provider or client),
 * or is not carried (a credential or key); everything in `left` is a line of the report.
 *
 *     const PROVIDER: Table = {
 *       closes: true,
 *       members: {
 *         alias: carried,
 *         postBrokerLoginFlowAlias: restricts('Keycloak asks for more after this provider; that is not done here.'),
 *         storeToken: reported('Tokens of the provider are not stored here.'),
 *         guiOrder: ignored('the order of buttons'),
 *         config: part(CONFIG),
 *       },
 *     }
 *
 * A member that is in no table is reported, and closes where the table says so. `membersWithoutRule` finds such members in a
 * whole export, for tests.
 */
import type { Members } from '../json/members.ts'

/** What is asked about a value: mostly whether it restricts nothing and leaves nothing to say. */
export type Harmless = (value: unknown, object: Members) => boolean
type Sentence = string | ((value: unknown, object: Members) => string)

export interface Rule {
  readonly fate: 'carried' | 'reported' | 'ignored'
  /** What the report says of a value that is not harmless. */
  readonly says?: Sentence
  readonly isHarmless?: Harmless
  /** Whether such a value decides who gets in, or what they get; or which of them do. */
  readonly restricts?: boolean | Harmless
  /** Why nothing has to be said. */
  readonly because?: string
  /** What is inside: one object, a list of them, or a text that contains one as JSON. */
  readonly inside?: Table
  /** Whether what is inside has a decision of its own where it is read. */
  readonly isSeparate?: boolean
}

export interface Table {
  /** Whether a member that nobody knows closes the object. */
  readonly closes?: boolean
  readonly members: Readonly<Record<string, Rule>>
  /** Members with names that nobody can list. */
  readonly named?: readonly (readonly [names: RegExp, rule: Rule])[]
}

/** As if nobody had set it: also inside lists, and as the texts that some products keep instead of values. */
const isUnset: Harmless = (value) => {
  if (value === undefined || value === null || value === false || value === 0) return true
  if (typeof value === 'string') return /^\s*(false|0)?\s*$/i.test(value)
  if (typeof value !== 'object') return false
  return Object.values(value).every((inner) => isUnset(inner, undefined as never))
}

export function oneOf(...values: readonly (string | number | boolean | undefined)[]): Harmless {
  return (value) => values.includes((Array.isArray(value) ? value[0] : (value ?? undefined)) as string)
}

/** The reader reads it. */
export const carried: Rule = { fate: 'carried' }

export function allCarried(...names: readonly string[]): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.map((name) => [name, carried]))
}

/** The reader reads it, and other values restrict. */
export function carriedOnly(isHarmless: Harmless, says: Sentence): Rule {
  return { fate: 'carried', says, isHarmless, restricts: true }
}

export function reported(says: Sentence, isHarmless: Harmless = isUnset, restrictsIf?: Harmless): Rule {
  return { fate: 'reported', says, isHarmless, ...(restrictsIf && { restricts: restrictsIf }) }
}

/** It decides who gets in or what they get, and has no equivalent. */
export function restricts(says: Sentence, isHarmless: Harmless = isUnset): Rule {
  return { fate: 'reported', says, isHarmless, restricts: true }
}

export function ignored(because: string): Rule {
  return { fate: 'ignored', because }
}

/** Names that are ignored, by the reason. */
export function allIgnored(names: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, Rule>> {
  const entries = Object.entries(names)
  return Object.fromEntries(entries.flatMap(([because, all]) => all.map((name) => [name, ignored(because)])))
}

/** Decided together with the object. */
export function part(inside: Table): Rule {
  return { fate: 'carried', inside }
}

/** Objects that the reader decides one by one. */
export function separate(inside: Table): Rule {
  return { fate: 'carried', inside, isSeparate: true }
}

export interface Decision {
  /** One sentence for each reason not to trust it here. */
  readonly closed: readonly string[]
  /** One sentence for each member that has no equivalent. */
  readonly left: readonly string[]
}

function ruleOf({ members, named = [] }: Table, name: string): Rule | undefined {
  return Object.hasOwn(members, name) ? members[name] : named.find(([names]) => names.test(name))?.[1]
}

/** What is inside a member, each with its place. */
function innerOf(object: Members, name: string): readonly Members[] {
  const value = object.raw(name)
  if (Array.isArray(value)) return object.list(name)
  return [typeof value === 'string' ? object.parsed(name) : object.inner(name)]
}

/** A name from a file, for a report. */
function shown(path: string): string {
  return path.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, 100)
}

/** What has to be said of one member. */
export interface Finding {
  readonly member: string
  readonly sentence: string
  readonly closes: boolean
}

function* findIn(object: Members, table: Table, prefix: string): Generator<Finding> {
  for (const name of object.names()) {
    const [rule, value] = [ruleOf(table, name), object.peek(name)]
    if (rule === undefined) {
      if (value === undefined || value === '') continue
      const [member, closes] = [shown(prefix + name), table.closes === true]
      const rest = closes ? ': find out what it restricts.' : ', so it is not carried.'
      yield { member, sentence: `“${member}” is not known to this import${rest}`, closes }
      continue
    }
    const { says, isHarmless, inside, isSeparate } = rule
    if (says !== undefined && !isHarmless?.(value, object)) {
      const sentence = typeof says === 'string' ? says : says(value, object)
      const restricting = typeof rule.restricts === 'function' ? rule.restricts(value, object) : rule.restricts === true
      yield { member: prefix + name, sentence, closes: restricting && table.closes === true }
    }
    if (inside === undefined || isSeparate || value === undefined) continue
    for (const inner of innerOf(object, name)) yield* findIn(inner, inside, `${prefix}${name}.`)
  }
}

/** What has to be said of an object, each sentence once. */
export function findingsOf(object: Members, table: Table): readonly Finding[] {
  return [...new Map([...findIn(object, table, '')].map((found) => [found.sentence, found])).values()]
}

/** What has to be said of an object, and whether it can be trusted as it is carried. */
export function decide(object: Members, table: Table): Decision {
  const { closed = [], left = [] } = Object.groupBy(findingsOf(object, table), ({ closes }) =>
    closes ? 'closed' : 'left',
  )
  return { closed: closed.map(({ sentence }) => sentence), left: left.map(({ sentence }) => sentence) }
}

/** The paths in an object, such as `clients[].attributes.x`, each with its rule if a table has it. */
export function rulesByPath(object: Members, table: Table, prefix = ''): ReadonlyMap<string, Rule | undefined> {
  const found = new Map<string, Rule | undefined>()
  for (const name of object.names()) {
    const [rule, path] = [ruleOf(table, name), `${prefix}${name}`]
    found.set(path, rule)
    if (rule?.inside === undefined || object.peek(name) === undefined) continue
    const dots = Array.isArray(object.peek(name)) ? '[].' : '.'
    for (const inner of innerOf(object, name))
      for (const [below, one] of rulesByPath(inner, rule.inside, `${path}${dots}`)) found.set(below, one)
  }
  return found
}

/** The paths in an object that no table has. */
export function membersWithoutRule(object: Members, table: Table): ReadonlySet<string> {
  return new Set([...rulesByPath(object, table)].flatMap(([path, rule]) => (rule === undefined ? [path] : [])))
}

/** All tables that a table leads to, each once. */
function tablesOf(table: Table, known = new Set<Table>()): ReadonlySet<Table> {
  if (known.has(table)) return known
  known.add(table)
  for (const { inside } of rulesOf(table)) if (inside !== undefined) tablesOf(inside, known)
  return known
}

function rulesOf({ members, named = [] }: Table): readonly Rule[] {
  return [...Object.values(members), ...named.map(([, rule]) => rule)]
}

/** How many members are carried, reported and ignored, in a table and all tables below it. */
export function countFates(table: Table): Readonly<Record<Rule['fate'], number>> {
  const counts = { carried: 0, reported: 0, ignored: 0 }
  for (const one of tablesOf(table)) for (const { fate } of rulesOf(one)) counts[fate]++
  return counts
}
