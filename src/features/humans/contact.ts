/**
 * Email addresses and phone numbers of human users: their format, and the requested verification. The only file that
 * uses the library for phone numbers. Its tables are large, so it is loaded with the first number, and with `require`,
 * so that parsing stays synchronous.
 */
import { createRequire } from 'node:module'
import type * as PhoneNumbers from 'libphonenumber-js/min'
import type { Call } from '../../access/call.ts'
import { isEmailAddress } from '../../kernel/email-address.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import {
  type AskedDelivery,
  type Delivery,
  decideDelivery,
  deliveryToNewUser,
  requireChooser,
  urlTemplateProblem,
} from '../messages/index.ts'
import { type Email, type FieldProblem, problem } from '../users/index.ts'

const require = createRequire(import.meta.url)

/**
 * Why `text` cannot be the email address of a human user; undefined when it can. Only ASCII, with an international
 * domain as A-labels, so that no two addresses look the same and none becomes another one when its case is folded.
 */
export function emailProblem(text: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(text)) return 'must be an ASCII email address; write international domains as xn--…'
  return isEmailAddress(text) ? undefined : 'must be an email address'
}

/**
 * The number in E.164 form; undefined when it has no country code, because a guess would send codes to a stranger, and
 * when it is impossible: of no country, too short or too long for any number there. Ranges
 * and single lengths are not checked: new ones are assigned every month, and imported data have such numbers.
 */
export function phoneNumber(text: string): string | undefined {
  const { parsePhoneNumberFromString, validatePhoneNumberLength }: typeof PhoneNumbers =
    require('libphonenumber-js/min')
  const parsed = parsePhoneNumberFromString(text.replace(/^\s*00/, '+'), { extract: false })
  if (parsed === undefined || parsed.ext !== undefined) return undefined
  // Between the shortest and the longest number of the country.
  const isPossible = parsed.isPossible() || validatePhoneNumberLength(parsed.number) === 'INVALID_LENGTH'
  return isPossible ? parsed.number : undefined
}

/** Without a code: `default`: not specified, so one is sent; `known`: the caller says whether it is verified. */
type WithoutCode = { readonly type: 'default' } | { readonly type: 'known'; readonly isVerified: boolean }

/** The requested verification of an address or a number. */
export type ContactVerification = WithoutCode | AskedDelivery

/** A verification that its caller may ask for. */
export type DecidedVerification = WithoutCode | Delivery

/**
 * Decides on a verification for a caller: throws unless they have the power over the user that comes with declaring an
 * address verified, choosing the link, or getting the code.
 */
export async function decideVerification(
  app: App,
  call: Call,
  user: Pick<Document<unknown>, 'id' | 'owner'>,
  asked: ContactVerification,
): Promise<DecidedVerification> {
  if (asked.type === 'default') return asked
  if (asked.type !== 'known') return decideDelivery(app, call, user, asked)
  await requireChooser(app, call, user)
  return asked
}

/** The verification of a user who is added in the same write. */
export function verificationOfNewUser(asked: ContactVerification): DecidedVerification {
  return asked.type === 'default' || asked.type === 'known' ? asked : deliveryToNewUser(asked)
}

/** The oneof of all messages with a verification. */
type VerificationMessage =
  | { readonly case: 'sendCode'; readonly value: object & { readonly urlTemplate?: string | undefined } }
  | { readonly case: 'returnCode'; readonly value: object }
  | { readonly case: 'isVerified'; readonly value: boolean }
  | { readonly case: undefined; readonly value?: undefined }

/** The verification in a message. */
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

/** The verification of a v1 request, which can only declare a contact verified; otherwise a code is sent. */
export function verificationV1(isVerified: boolean): ContactVerification {
  return isVerified ? { type: 'known', isVerified } : { type: 'default' }
}

/** Whether the caller declares it verified; undefined when a code decides. */
export function knownOf(verification: ContactVerification): boolean | undefined {
  return verification.type === 'known' ? verification.isVerified : undefined
}

/** An email address and its requested verification. */
export interface GivenEmail<Verification = ContactVerification> {
  readonly address: string
  readonly verification: Verification
  /** What connected a user of an export with it, and since when. No request can say so. */
  readonly known?: Pick<Email, 'basis' | 'since'>
}

/** A phone number as the caller wrote it, and its requested verification. */
export interface GivenPhone<Verification = ContactVerification> {
  readonly text: string
  readonly verification: Verification
}

/** The problems of the link template of a verification; `prefix` is the path of the verification in the request. */
export function templateProblems(verification: ContactVerification, prefix: string): readonly FieldProblem[] {
  const template = verification.type === 'send' ? verification.urlTemplate : undefined
  const description = template === undefined ? undefined : urlTemplateProblem(template)
  return problem('user.url_template_invalid', `${prefix}sendCode.urlTemplate`, description)
}

/** The problems of an email address and its verification. */
export function emailProblems({ address, verification }: GivenEmail, prefix: string): readonly FieldProblem[] {
  return [
    ...problem('user.email_invalid', `${prefix}email`, emailProblem(address)),
    ...templateProblems(verification, prefix),
  ]
}

const PHONE_PROBLEM = 'must be a phone number, and must begin with its country code, such as +41 79 123 45 67'

/** The problems of a phone number that is not empty. */
export function phoneProblems(text: string, prefix: string): readonly FieldProblem[] {
  return problem('user.phone_invalid', `${prefix}phone`, phoneNumber(text) === undefined ? PHONE_PROBLEM : undefined)
}
