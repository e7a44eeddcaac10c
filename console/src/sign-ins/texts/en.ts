/** The words for sign-ins, in English. */
import type { Sentences } from '../../texts/languages.ts'

const outcomes = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  pending: 'Not finished',
} as const

const methods = {
  passkey: 'Passkey',
  password: 'Password',
  provider: 'Identity provider',
  code: 'One-time code',
} as const

const failures = {
  unknownUser: 'unknown user',
  userLocked: 'the user is locked',
  userInactive: 'the user is deactivated',
  wrongPassword: 'wrong password',
  wrongTotp: 'wrong code from the authenticator app',
  wrongCode: 'wrong code from an email or text message',
  wrongRecoveryCode: 'wrong recovery code',
  passkey: 'the passkey wasn’t accepted',
  provider: 'sign-in at the identity provider failed',
  factorLocked: 'too many wrong attempts',
  notAllowed: 'a setting doesn’t allow it',
  unknownClient: 'unknown application',
  wrongSecret: 'wrong client secret',
  wrongRedirectUri: 'wrong redirect URI',
} as const

const steps = {
  user: 'User identified',
  password: 'Password',
  passkey: 'Passkey',
  provider: 'Identity provider',
  totp: 'Authenticator app',
  sms: 'Code by SMS',
  email: 'Code by email',
  recovery: 'Recovery code',
  secondFactor: 'Second factor',
  passwordChange: 'Password change',
  application: 'Application',
} as const

export const en = {
  succeeded:
    '{who, select, nobody {Someone} other {{user}}} signed in{place, select, none {} other { to {application}}}{method, select, passkey { with a passkey} password { with a password} provider { with an identity provider} code { with a one-time code} other {}}',
  failed:
    '{who, select, nobody {Sign-in} other {{user}’s sign-in}}{place, select, none {} other { to {application}}} failed{cause, select, none {} other {: {reason}}}',
  pending:
    '{who, select, nobody {Someone} other {{user}}} hasn’t finished signing in{place, select, none {} other { to {application}}}',
  more: '{name} and {count} more',
  outcomes,
  methods,
  failures,
  steps,
  results: { passed: 'Passed', failed: 'Failed', required: 'Required' },
  decidedBy: 'Decided by',
  levels: {
    instance: 'instance setting',
    organization: 'organization setting',
    application: 'project setting',
    user: 'set for this user',
  },
  values: { true: 'on', false: 'off', PASSKEYS_TYPE_NOT_ALLOWED: 'not allowed' },
  passwordChangeRequired: 'Password change required',
  moreSteps: '{count, plural, one {{count} more step isn’t shown.} other {{count} more steps aren’t shown.}}',
  noSteps: 'No steps were recorded.',
  stepsTitle: 'Steps',
} as const

export type SignInWords = Sentences<typeof en>
