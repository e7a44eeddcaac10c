/**
 * Places for values in texts, `{{.Name}}`: which ones there are, whether a text names only those, and filling them.
 * A value is put in once and never looked at again, so that it cannot name a place itself. Pure.
 */
import type { MessageType } from './message-types.ts'

const ABOUT_THE_USER = [
  'FirstName',
  'LastName',
  'DisplayName',
  'UserName',
  'OrganizationName',
  'ApplicationName',
] as const
const PROOF = ['Code', 'Link'] as const

/** The parts of a mail that the page around them can place. */
export const PART_PLACES = ['Subject', 'Title', 'Greeting', 'Text', 'ButtonText', 'Footer'] as const

/** Whether mails of this type carry a code or a link with one. */
export function carriesProof(type: MessageType): boolean {
  return type !== 'password_changed' && type !== 'sign_in_locked'
}

/** The names that the texts of mails of this type may use. */
export function placesOf(type: MessageType): readonly string[] {
  return carriesProof(type) ? [...ABOUT_THE_USER, ...PROOF] : ABOUT_THE_USER
}

const PLACE = /\{\{\s*\.([A-Za-z]+)\s*\}\}/g

/** The names of the places in a text. */
export function placesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([, name = '']) => name)
}

/** Why a text cannot be used with these names; undefined when it can. */
export function placeProblem(text: string, known: readonly string[]): string | undefined {
  const unknown = placesIn(text).find((name) => !known.includes(name))
  const allowed = known.map((name) => `{{.${name}}}`).join(', ')
  if (unknown !== undefined) return `contains {{.${unknown}}}; allowed are ${allowed}`
  // What is left of braces would reach the reader as it is; more often than not it is a mistake.
  return text.replaceAll(PLACE, '').includes('{{')
    ? `contains {{ outside of a placeholder; allowed are ${allowed}`
    : undefined
}

/** The text with its places filled; a place without a value becomes empty. */
export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
}
