/** Validates the profile of a human user in a request and fills in defaults. Pure. */
import { UNDETERMINED } from '../../kernel/languages.ts'
import { type FieldProblem, type Gender, lineProblem, type Profile } from '../users/index.ts'

/** Fields that are not given do not change, or are empty. An empty display name becomes first and last name. */
export interface ProfileChange {
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly nickName?: string | undefined
  readonly displayName?: string | undefined
  readonly preferredLanguage?: string | undefined
  readonly gender?: Gender | undefined
}

const NEW: Profile = {
  firstName: '',
  lastName: '',
  nickName: '',
  displayName: '',
  preferredLanguage: '',
  gender: 'unspecified',
}

const LINES = ['firstName', 'lastName', 'nickName', 'displayName'] as const

/**
 * A language tag in the form of BCP 47 (RFC 5646), such as `de-CH`; empty for none; undefined when the text is not a
 * tag.
 */
export function languageTag(text: string): string | undefined {
  // `und` is what replies say of users without a preferred language.
  if (text === '' || text === UNDETERMINED) return ''
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}

function lineProblemOf(name: (typeof LINES)[number], text: string): string | undefined {
  const isName = name === 'firstName' || name === 'lastName'
  return isName && text.trim() === '' ? 'must not be blank' : lineProblem(text)
}

/** The problems of a profile by field; `prefix` is its path in the request. */
export function profileProblems(change: ProfileChange, prefix: string): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const name of LINES) {
    const text = change[name]
    const description = text === undefined ? undefined : lineProblemOf(name, text)
    if (description !== undefined) problems.push({ code: 'user.field_invalid', field: `${prefix}${name}`, description })
  }
  if (change.preferredLanguage !== undefined && languageTag(change.preferredLanguage) === undefined) {
    const field = `${prefix}preferredLanguage`
    problems.push({
      code: 'user.language_invalid',
      field,
      description: 'must be a language tag such as de-CH (BCP 47)',
    })
  }
  return problems
}

/** The profile after a valid change. */
export function changedProfile(change: ProfileChange, before: Profile = NEW): Profile {
  const firstName = change.firstName ?? before.firstName
  const lastName = change.lastName ?? before.lastName
  return {
    firstName,
    lastName,
    nickName: change.nickName ?? before.nickName,
    displayName: (change.displayName ?? before.displayName) || `${firstName} ${lastName}`,
    preferredLanguage: languageTag(change.preferredLanguage ?? before.preferredLanguage) ?? '',
    gender: change.gender ?? before.gender,
  }
}
