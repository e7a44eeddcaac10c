/** A person's profile as it comes in: what is missing is filled in, what cannot be kept is named. Pure. */
import type { Gender, Profile } from './events.ts'
import { languageTag } from './language.ts'
import { lineProblem } from './names.ts'
import type { FieldProblem } from './problems.ts'

/** What is not given stays as it is, or is empty; an empty display name is first and last name. */
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

const BLANK = 'must not be blank'

function lineProblemOf(name: (typeof LINES)[number], text: string): string | undefined {
  const isName = name === 'firstName' || name === 'lastName'
  return isName && text.trim() === '' ? BLANK : lineProblem(text)
}

/** What is wrong with a profile, by field; `prefix` leads to it in the request. */
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

/** The profile after a change that has no problems. */
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
