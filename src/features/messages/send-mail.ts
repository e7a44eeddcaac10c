/**
 * Emails to users: which email contains which code, and the target of its link. They are sent after the commit of the
 * work.
 */

import { PATHS } from '../../kernel/page-paths.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Work } from '../../store/index.ts'
import {
  CODE_VARIABLES,
  enqueueMail,
  type Link,
  ONE_TIME_CODE_VARIABLES,
  PASSKEY_VARIABLES,
  publicLink,
  renderUrlTemplate,
  urlTemplateProblem as templateProblem,
} from '../mail/index.ts'
import { isLivingOrganization, organizations } from '../organizations/index.ts'
import { type HumanUser, userRefusals } from '../users/index.ts'
import { codeLifetimeMs, type Purpose } from '../verifications/index.ts'
import type { ChosenLink } from './delivery.ts'

/** A message to a user with a code. */
export interface CodeMessage {
  /** The user as it is after this write. */
  readonly user: Document<HumanUser>
  readonly code: string
  /** Template of the link in the email. If not set, the link leads to the built-in page. */
  readonly urlTemplate?: ChosenLink | undefined
  /** What the user is invited to. */
  readonly applicationName?: string | undefined
  /** The language of the page where it was asked for; the one that the user prefers comes first. */
  readonly language?: string | undefined
}

/** A message to a user with a passkey registration link. */
interface PasskeyLinkMessage {
  readonly user: Document<HumanUser>
  readonly codeId: string
  readonly code: string
  /** Template of the link. If not set, the link leads to the built-in page. */
  readonly urlTemplate?: ChosenLink | undefined
}

/** A message to a user with a one-time code. */
export interface OneTimeCodeMessage {
  readonly user: Document<HumanUser>
  readonly code: string
  readonly sessionId: string
  readonly validForMinutes: number
  /** Template of the link in the email. If not set, the email has no link, and the user types the code. */
  readonly urlTemplate?: ChosenLink | undefined
}

/**
 * The mails with a code: the purpose of the code, and the page for it. `givesAccess`: the reader can sign in to an account
 * that may be in use already. The account of an invitation cannot be used before.
 */
const CODE_MAILS = {
  verify_email: { purpose: 'email', path: PATHS.verifyEmail, givesAccess: false },
  invitation: { purpose: 'invite', path: PATHS.acceptInvitation, givesAccess: false },
  password_reset: { purpose: 'password_reset', path: PATHS.setPassword, givesAccess: true },
} as const satisfies Record<string, { readonly purpose: Purpose; readonly path: string; readonly givesAccess: boolean }>

/** An email with a code that verifies something. */
type CodeMail = keyof typeof CODE_MAILS

// The pages must not look these up, because that would reveal who exists: the password policy, the name and the language
// depend on the user.
const QUERY = '?userId={{.UserID}}&code={{.Code}}&orgId={{.OrgID}}&loginName={{.LoginName}}'
const LANGUAGE = '&lang={{.Language}}'
const PASSKEY_QUERY = '?userId={{.UserID}}&codeId={{.CodeID}}&code={{.Code}}&orgId={{.OrgID}}'
const PASSKEY_PAGE = `${PATHS.registerPasskey}${PASSKEY_QUERY}`

const VARIABLES = {
  code: CODE_VARIABLES,
  passkey_link: PASSKEY_VARIABLES,
  one_time_code: ONE_TIME_CODE_VARIABLES,
} as const

/** Why a link template is invalid for a message; undefined when it is valid. */
export function urlTemplateProblem(template: string, message: keyof typeof VARIABLES = 'code'): string | undefined {
  return templateProblem(template, VARIABLES[message])
}

/** The recipient and the language of a message. */
export function recipientOf({ id: userId, owner: organizationId, state }: Document<HumanUser>) {
  return { to: state.email.address, userId, organizationId, language: state.profile.preferredLanguage }
}

/**
 * Throws unless the address or the number is verified. Every message that gives access is checked here: an unverified
 * address may belong to another person, who would read the message.
 */
export function requireProven({ state }: Document<HumanUser>, medium: 'email' | 'phone'): void {
  if (medium === 'email' && !state.email.isVerified) throw refused(userRefusals, 'user.email_not_verified')
  if (medium === 'phone' && state.phone?.isVerified !== true) throw refused(userRefusals, 'user.phone_not_verified')
}

/** What every mail to a user can say about them. */
export async function valuesOf(app: App, { owner, state }: Document<HumanUser>) {
  const organization = (await app.store.get(organizations, owner))?.state
  const { firstName, lastName, displayName } = state.profile
  const name = organization !== undefined && isLivingOrganization(organization) ? organization.name : ''
  return { displayName, firstName, lastName, userName: state.userName, organizationName: name }
}

/** The link of an email: to the built-in page in the language of the user, or from the template. */
function linkOf(
  app: App,
  { state }: Document<HumanUser>,
  page: string,
  values: Readonly<Record<string, string>>,
  urlTemplate: ChosenLink | undefined,
  Language = state.profile.preferredLanguage,
) {
  if (urlTemplate !== undefined) return renderUrlTemplate(urlTemplate, values)
  const more = { Language, LoginName: state.userName }
  return publicLink(app.externalUrl, `${page}${Language === '' ? '' : LANGUAGE}`, { ...values, ...more })
}

/** Sends a verification code by email, with a link to the page for it. */
export async function mailCode(
  app: App,
  work: Work,
  type: CodeMail,
  { user, code, urlTemplate, applicationName, language: ofPage = '' }: CodeMessage,
): Promise<void> {
  const { purpose, path, givesAccess } = CODE_MAILS[type]
  if (givesAccess) requireProven(user, 'email')
  const given = { Code: code, UserID: user.id, OrgID: user.owner }
  const language = user.state.profile.preferredLanguage || ofPage
  const values = {
    ...(await valuesOf(app, user)),
    ...(applicationName !== undefined && { applicationName }),
    link: linkOf(app, user, `${path}${QUERY}`, given, urlTemplate, language),
    code,
    validForMinutes: (await codeLifetimeMs(app, purpose, work)) / 60_000,
  }
  await enqueueMail(app, work, { ...recipientOf(user), language, type, values })
}

/** Sends a code to an address that the user wants to have; it is typed on the page that asked for it. */
export async function mailChangeCode(
  app: App,
  work: Work,
  { user, code, to }: Pick<CodeMessage, 'user' | 'code'> & { readonly to: string },
): Promise<void> {
  const validForMinutes = (await codeLifetimeMs(app, 'email_change', work)) / 60_000
  const values = { ...(await valuesOf(app, user)), code, validForMinutes }
  await enqueueMail(app, work, { ...recipientOf(user), to, type: 'verify_email', values })
}

/** The link with which a user registers a passkey: to the built-in page, or from a template. */
export function passkeyLink(app: App, { user, codeId, code, urlTemplate }: PasskeyLinkMessage): Link {
  const given = { UserID: user.id, OrgID: user.owner, CodeID: codeId, Code: code }
  return linkOf(app, user, PASSKEY_PAGE, given, urlTemplate)
}

/** Sends a link by email to register one passkey. */
export async function mailPasskeyLink(app: App, work: Work, message: PasskeyLinkMessage): Promise<void> {
  const { user, code } = message
  requireProven(user, 'email')
  const link = passkeyLink(app, message)
  const values = {
    ...(await valuesOf(app, user)),
    link,
    code,
    validForMinutes: (await codeLifetimeMs(app, 'passkey', work)) / 60_000,
  }
  await enqueueMail(app, work, { ...recipientOf(user), type: 'passkey_link', values })
}

/** Sends a one-time code by email. */
export async function mailOneTimeCode(
  app: App,
  work: Work,
  { user, code, sessionId, validForMinutes, urlTemplate }: OneTimeCodeMessage,
): Promise<void> {
  requireProven(user, 'email')
  const { profile, userName } = user.state
  const link =
    urlTemplate &&
    renderUrlTemplate(urlTemplate, {
      Code: code,
      UserID: user.id,
      LoginName: userName,
      DisplayName: profile.displayName,
      PreferredLanguage: profile.preferredLanguage,
      SessionID: sessionId,
    })
  const values = { ...(await valuesOf(app, user)), ...(link && { link }), code, validForMinutes }
  await enqueueMail(app, work, { ...recipientOf(user), type: 'one_time_code', values })
}

/** Notifies a user of a change by email. Unverified addresses get none: they may belong to another person. */
export async function mailNotice(
  app: App,
  work: Work,
  type: 'password_changed' | 'sign_in_locked',
  user: Document<HumanUser>,
): Promise<void> {
  if (!user.state.email.isVerified) return
  await enqueueMail(app, work, { ...recipientOf(user), type, values: await valuesOf(app, user) })
}
