/**
 * What the members of a setting can be. The contract says the same to clients; this is asked of every value, also of those that
 * files bring. Pure.
 */
import type { Violation } from '../../kernel/refusal.ts'

/** What is wrong with a value; undefined when nothing is. */
export interface Form<Value> {
  (value: unknown): string | undefined
  /** For the compiler alone. */
  readonly of?: Value
}

/** A form for each member: a member without one does not compile. */
export type Forms<Value> = { readonly [Member in keyof Value]-?: Form<NonNullable<Value[Member]>> }

export const flag: Form<boolean> = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')

export function whole(least: number, most: number): Form<number> {
  const isInside = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
  return (value) => (isInside(value) ? undefined : `must be a whole number from ${least} to ${most}`)
}

export function text(most: number): Form<string> {
  return (value) =>
    typeof value === 'string' && value.length <= most ? undefined : `must be text of at most ${most} characters`
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Form<Word> {
  return (value) => (words.some((word) => word === value) ? undefined : `must be one of ${words.join(', ')}`)
}

export function listOf<Item>(form: Form<Item>, most: number): Form<readonly Item[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > most) return `must be a list of at most ${most}`
    return value.map(form).find((problem) => problem !== undefined)
  }
}

/** Members that belong together: all of them are there. */
export function group<Value extends object>(forms: Forms<Value>): Form<Value> {
  const names = Object.keys(forms)
  return (value) => {
    const [first] = problemsOf(forms, value)
    if (first !== undefined) return `${first.field} ${first.description}`.trim()
    const missing = names.find((name) => (value as Readonly<Record<string, unknown>>)[name] === undefined)
    return missing && `${missing} must be given`
  }
}

/** The members that are wrong, or unknown. Those that a value does not have are left out of it on purpose. */
export function problemsOf<Value>(forms: Forms<Value>, value: unknown): readonly Violation[] {
  if (typeof value !== 'object' || value === null) return [{ field: '', description: 'must have members' }]
  const known = forms as Readonly<Record<string, Form<unknown> | undefined>>
  return Object.entries(value).flatMap(([field, member]) => {
    const form = Object.hasOwn(known, field) ? known[field] : undefined
    const description = member === undefined ? undefined : form === undefined ? 'is not known' : form(member)
    return description === undefined ? [] : [{ field, description }]
  })
}
