/** What happened in a sign-in, in English sentences. Pure. */
import type { SignIn } from './decider.ts'
import type { Method, Reason, Setting, Step, StepKind } from './events.ts'

const METHODS: Readonly<Record<Method, string>> = {
  password: 'a password',
  passkey: 'a passkey',
  identity_provider: 'an identity provider',
  one_time_code: 'a one-time code',
}

const REASONS: Readonly<Record<Reason, string>> = {
  unknown_user: 'there is no such user',
  user_locked: 'the user is locked',
  user_inactive: 'the user or their organization is deactivated',
  wrong_password: 'the password was wrong',
  wrong_totp: 'the code of the authenticator app was wrong',
  wrong_code: 'the code that was sent was wrong or expired',
  wrong_recovery_code: 'the recovery code was wrong or used before',
  passkey: 'the passkey was not accepted',
  identity_provider: 'the sign-in at the identity provider failed',
  factor_locked: 'there were too many wrong attempts',
  not_allowed: 'the settings do not allow it',
  unknown_client: 'the client is unknown',
  wrong_client_secret: 'the client secret was wrong',
  wrong_redirect_uri: 'the redirect URI is not registered',
}

const CHECKED: Readonly<Record<StepKind, string>> = {
  user: 'The user was identified',
  password: 'The password was checked',
  passkey: 'The passkey or security key was checked',
  identity_provider: 'The identity provider confirmed the account',
  totp: 'The code of the authenticator app was checked',
  otp_sms: 'The code sent by text message was checked',
  otp_email: 'The code sent by email was checked',
  recovery_code: 'A recovery code was used',
  second_factor: 'A second factor was checked',
  password_change: 'The password was changed',
  application: 'The user was signed in to an application',
}

const NEEDED: Readonly<Partial<Record<StepKind, string>>> = {
  second_factor: 'A second factor is required',
  password_change: 'The password must be changed first',
}

const LEVELS: Readonly<Record<Setting['level'], string>> = {
  instance: 'settings of the instance',
  organization: 'settings of the organization',
  application: 'settings of the project of the application',
  user: 'set-up of the user',
}

function because({ name, value, level }: Setting): string {
  return `${LEVELS[level]}: ${name} = ${value}`
}

/** One step. */
export function sentenceOfStep({ kind, result, reason, setting }: Step): string {
  const end = setting === undefined ? '.' : ` (${because(setting)}).`
  if (result === 'required') return `${NEEDED[kind] ?? CHECKED[kind]}${end}`
  if (result === 'passed') return `${CHECKED[kind]}${end}`
  const why = reason === undefined ? 'it was refused' : REASONS[reason]
  return `Failed: ${why}${end}`
}

/** The outcome. */
export function summaryOf({ outcome, method, reason, steps }: SignIn): string {
  if (outcome === 'succeeded') return `The user signed in with ${METHODS[method ?? 'one_time_code']}.`
  if (outcome === 'failed') {
    const last = steps.findLast((step) => step.result === 'failed')
    const end = last?.setting === undefined ? '.' : ` (${because(last.setting)}).`
    return `The sign-in failed: ${REASONS[reason ?? 'not_allowed']}${end}`
  }
  const need = steps.findLast((step) => step.result === 'required')
  if (need === undefined) return 'The sign-in is not complete: no factor was checked yet.'
  return `The sign-in is not complete. ${sentenceOfStep(need)}`
}
