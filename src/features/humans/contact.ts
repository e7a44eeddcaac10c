/**
 * E-mail addresses and phone numbers of humans: what can be one, and how a caller wants it to be verified. The only file
 * that knows the library of phone numbers. Its tables are large, so it is loaded with the first number, and with
 * `require`, so that reading a number stays synchronous.
 */
import { createRequire } from 'node:module'
import type * as PhoneNumbers from 'libphonenumber-js/min'
import { isEmailAddress } from '../../kernel/email-address.ts'
import { urlTemplateProblem } from '../messages/index.ts'
import { type FieldProblem, problem } from '../users/index.ts'

const require = createRequire(import.meta.url)

/** The country of numbers that are written without one; existing clients rely on it. */
const DEFAULT_COUNTRY = 'CH'

/**
 * Why `text` cannot be the e-mail address of a human; undefined when it can. Only ASCII, with an international domain as
 * A-labels, so that no two addresses look the same and none becomes another one when its case is folded.
 */
export function emailProblem(text: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(text)) return 'must be an e-mail address in ASCII, its domain written as xn--… if need be'
  return isEmailAddress(text) ? undefined : 'must be an e-mail address'
}

/**
 * The number in E.164 form; undefined when it is impossible: of no country, too short or too long for any number there.
 * Ranges and single lengths are not checked: new ones are assigned every month, and imported data have such numbers.
 */
export function phoneNumber(text: string): string | undefined {
  const { parsePhoneNumberFromString, validatePhoneNumberLength }: typeof PhoneNumbers =
    require('libphonenumber-js/min')
  const options = { defaultCountry: DEFAULT_COUNTRY, extract: false } as const
  const parsed = parsePhoneNumberFromString(text, options)
  if (parsed === undefined || parsed.ext !== undefined) return undefined
  // Between the shortest and the longest number of the country.
  const isPossible = parsed.isPossible() || validatePhoneNumberLength(parsed.number) === 'INVALID_LENGTH'
  return isPossible ? parsed.number : undefined
}

/** How an address or a number is to be verified. `default`: the caller did not say, so a code is sent. */
export type ContactVerification =
  | { readonly type: 'default' }
  | { readonly type: 'send'; readonly urlTemplate?: string | undefined }
  | { readonly type: 'return' }
  /** The caller says whether it is verified, and no code is made. */
  | { readonly type: 'known'; readonly isVerified: boolean }

/** The oneof of all messages that ask for a verification. */
type VerificationMessage =
  | { readonly case: 'sendCode'; readonly value: object & { readonly urlTemplate?: string | undefined } }
  | { readonly case: 'returnCode'; readonly value: object }
  | { readonly case: 'isVerified'; readonly value: boolean }
  | { readonly case: undefined; readonly value?: undefined }

/** What a message asks for. */
export function verificationOf(message: VerificationMessage): ContactVerification {
  switch (message.case) {
    case 'sendCode':
      return { type: 'send', urlTemplate: message.value.urlTemplate }
    case 'returnCode':
      return { type: 'return' }
    case 'isVerified':
      return { type: 'known', isVerified: message.value }
    case undefined:
      return { type: 'default' }
  }
}

/** Whether the caller says that it is verified; undefined when a code is to tell. */
export function knownOf(verification: ContactVerification): boolean | undefined {
  return verification.type === 'known' ? verification.isVerified : undefined
}

/** Whether it needs the permission to write users: it declares an address verified, or hands out its code. */
export function needsWriter({ type }: ContactVerification): boolean {
  return type === 'known' || type === 'return'
}

/** The link template of a verification. */
export function templateOf(verification: ContactVerification): string | undefined {
  return verification.type === 'send' ? verification.urlTemplate : undefined
}

/** An e-mail address and how it is to be verified. */
export interface GivenEmail {
  readonly address: string
  readonly verification: ContactVerification
}

/** A phone number as the caller wrote it, and how it is to be verified. */
export interface GivenPhone {
  readonly text: string
  readonly verification: ContactVerification
}

/** What is wrong with the link template of a verification; `prefix` leads to the verification in the request. */
export function templateProblems(verification: ContactVerification, prefix: string): readonly FieldProblem[] {
  const template = templateOf(verification)
  const description = template === undefined ? undefined : urlTemplateProblem(template)
  return problem('user.url_template_invalid', `${prefix}sendCode.urlTemplate`, description)
}

/** What is wrong with an e-mail address and the way it is to be verified. */
export function emailProblems({ address, verification }: GivenEmail, prefix: string): readonly FieldProblem[] {
  return [
    ...problem('user.email_invalid', `${prefix}email`, emailProblem(address)),
    ...templateProblems(verification, prefix),
  ]
}

const PHONE_PROBLEM = 'must be a phone number, best with its country: +41 79 123 45 67'

/** What is wrong with a phone number that is not empty. */
export function phoneProblems(text: string, prefix: string): readonly FieldProblem[] {
  return problem('user.phone_invalid', `${prefix}phone`, phoneNumber(text) === undefined ? PHONE_PROBLEM : undefined)
}
