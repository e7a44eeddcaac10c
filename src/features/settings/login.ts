/**
 * The meaning of the login settings: the built-in ones, when a second factor is required, and which are invalid. Pure.
 */
import { isLoopbackHost } from '../../kernel/loopback.ts'
import type { SettingsRefusal } from './refusals.ts'
import type { AllowedMultiFactor, AllowedSecondFactor, LoginSettings } from './values.ts'

/** A factor of either list. */
export type Factor = AllowedSecondFactor | AllowedMultiFactor

export const SECOND_FACTORS = Object.freeze(['totp', 'u2f', 'otp_email', 'otp_sms', 'recovery_code'] as const)
export const MULTI_FACTORS = Object.freeze(['u2f_with_verification'] as const)

const HOUR = 3_600_000

/** The built-in settings: all ways to sign in are allowed, and a second factor is optional. */
export const BUILT_IN_LOGIN: LoginSettings = Object.freeze({
  allowsPassword: true,
  allowsPasskeys: true,
  allowsExternal: true,
  allowsRegistration: false,
  allowsEmailLogin: true,
  allowsPhoneLogin: true,
  allowsDomainDiscovery: false,
  ignoresUnknownUserNames: false,
  setUpSkipMs: 30 * 24 * HOUR,
  requiresSecondFactor: false,
  requiresSecondFactorLocalOnly: false,
  hidesPasswordReset: false,
  defaultRedirectUri: '',
  passwordLifetimeMs: 240 * HOUR,
  externalLifetimeMs: 240 * HOUR,
  secondFactorLifetimeMs: 18 * HOUR,
  multiFactorLifetimeMs: 12 * HOUR,
  secondFactors: SECOND_FACTORS,
  multiFactors: MULTI_FACTORS,
  sessionLifetimeMs: 30 * 24 * HOUR,
})

/** Whether users can sign in with their email address instead of their username. */
export function isEmailLoginAllowed({ allowsEmailLogin }: Pick<LoginSettings, 'allowsEmailLogin'>): boolean {
  return allowsEmailLogin !== false
}

/** Whether users can reset their password by themselves. */
export function isPasswordResetAllowed({ allowsPasswordReset }: Pick<LoginSettings, 'allowsPasswordReset'>): boolean {
  return allowsPasswordReset !== false
}

/** Whether a user must present a second factor after a local sign-in or a sign-in with an identity provider. */
export function needsSecondFactor(
  { requiresSecondFactor, requiresSecondFactorLocalOnly }: LoginSettings,
  signedIn: 'here' | 'elsewhere',
): boolean {
  return (
    (signedIn === 'here' || !requiresSecondFactorLocalOnly) && (requiresSecondFactor || requiresSecondFactorLocalOnly)
  )
}

/** Whether a factor is allowed. */
export function isAllowed({ secondFactors, multiFactors }: LoginSettings, factor: Factor): boolean {
  return [...secondFactors, ...multiFactors].includes(factor)
}

/** The settings with a factor allowed or not. The order is always the same. */
export function allowFactor(login: LoginSettings, factor: Factor, allows: boolean): LoginSettings {
  const stays = (one: Factor): boolean => (one === factor ? allows : isAllowed(login, one))
  return { ...login, secondFactors: SECOND_FACTORS.filter(stays), multiFactors: MULTI_FACTORS.filter(stays) }
}

/** Why users cannot be redirected to a URL after signing in; undefined when they can, or when there is none. */
export function redirectUriProblem(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  // The parser accepts spaces, line breaks and backslashes, but a browser can read them differently.
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (!isSafe || !/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text))
    return 'must be an https URL, or an http URL on this machine'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

/** Why users cannot be sent to a login app at a URL; undefined when they can, or when there is none. */
export function baseUriProblem(text: string): string | undefined {
  // A path of this server; a second slash or a backslash would name another host.
  if (text === '' || /^\/(?![/\\])[^\s\p{Cc}\\]*$/u.test(text)) return undefined
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isHttp || !/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text))
    return 'must be an http or https URL, or a path that starts with /'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

/** Whether users who need a second factor can meet that requirement in at least one way. */
function offersSecondFactor(login: LoginSettings): boolean {
  return (
    login.secondFactors.length > 0 ||
    (login.allowsPasskeys && login.multiFactors.length > 0) ||
    (login.allowsExternal && !needsSecondFactor(login, 'elsewhere'))
  )
}

/** Why settings are invalid: no user could sign in, or users would be redirected to an unsafe URL. */
export function loginProblem(login: LoginSettings): SettingsRefusal | undefined {
  if (!login.allowsPassword && !login.allowsPasskeys && !login.allowsExternal) return 'settings.no_way_to_sign_in'
  if (needsSecondFactor(login, 'here') && !offersSecondFactor(login)) return 'settings.no_second_factor'
  return redirectUriProblem(login.defaultRedirectUri) === undefined ? undefined : 'settings.redirect_uri_invalid'
}
