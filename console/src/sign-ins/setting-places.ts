/** Where the settings that decide about sign-ins are changed, by their names in the API. */

import { projectTexts } from '../pages/projects/texts/index.ts'
import type { SignInTexts } from '../pages/sign-in/texts/en.ts'
import { signInTexts } from '../pages/sign-in/texts/index.ts'
import type { Language } from '../texts/languages.ts'
import { signInWords } from './texts/index.ts'

interface Place {
  readonly to: string
  readonly anchor: string
  label(texts: SignInTexts): string
}

const methods = (label: Place['label']): Place => ({ to: '/sign-in', anchor: 'methods', label })
const factors = (label: Place['label']): Place => ({ to: '/sign-in', anchor: 'factors', label })
const lifetimes = (label: Place['label']): Place => ({ to: '/sign-in', anchor: 'lifetimes', label })
const lockout = (label: Place['label']): Place => ({ to: '/sign-in/passwords', anchor: 'lockout', label })

const PLACES: Readonly<Record<string, Place>> = {
  allowUsernamePassword: methods(({ login }) => login.password),
  passwordlessType: methods(({ login }) => login.passkeys),
  passkeysType: methods(({ login }) => login.passkeys),
  allowExternalIdp: methods(({ login }) => login.providers),
  allowRegister: methods(({ login }) => login.register),
  forceMfa: factors(({ login }) => login.required),
  forceMfaLocalOnly: factors(({ login }) => login.required),
  secondFactors: factors(({ login }) => login.allowedFactors),
  multiFactors: factors(({ login }) => login.passkeyIsEnough),
  passwordCheckLifetime: lifetimes(({ login }) => login.lifetimeNames.passwordCheckLifetime),
  secondFactorCheckLifetime: lifetimes(({ login }) => login.lifetimeNames.secondFactorCheckLifetime),
  multiFactorCheckLifetime: lifetimes(({ login }) => login.lifetimeNames.multiFactorCheckLifetime),
  externalLoginCheckLifetime: lifetimes(({ login }) => login.lifetimeNames.externalLoginCheckLifetime),
  maxPasswordAttempts: lockout(({ passwords }) => passwords.passwordAttempts),
  maxOtpAttempts: lockout(({ passwords }) => passwords.codeAttempts),
  maxOTPAttempts: lockout(({ passwords }) => passwords.codeAttempts),
  maxAgeDays: { to: '/sign-in/passwords', anchor: 'expiry', label: ({ passwords }) => passwords.maxAge },
}

/** The names of settings of projects and of what is set for a user, which are not on pages of settings. */
const OTHERS: Readonly<Record<string, (language: Language) => string>> = {
  authorizationRequired: (language) => projectTexts[language].authorizationRequired,
  projectAccessRequired: (language) => projectTexts[language].accessRequired,
  passwordChangeRequired: (language) => signInWords[language].passwordChangeRequired,
}

/** The name of a setting as the console has it; that of the API where it has none. */
export function nameOfSetting(name: string, language: Language): string {
  return PLACES[name]?.label(signInTexts[language]) ?? OTHERS[name]?.(language) ?? name
}

/** The page and section on which a setting of the instance or of an organization is changed. */
export function placeOfSetting(name: string): Pick<Place, 'to' | 'anchor'> | undefined {
  return PLACES[name]
}
