/** The words for sign-ins, in English. */
import type { FailureName, MethodName, OutcomeName, StepName } from '../names.ts'

/** Who, where and how; what is not known is left out. */
export interface Parts {
  readonly user: string | undefined
  readonly application: string | undefined
  readonly method: MethodName | undefined
  readonly reason: string | undefined
}

const withMethod: Readonly<Record<MethodName, string>> = {
  passkey: ' with a passkey',
  password: ' with a password',
  provider: ' with an identity provider',
  code: ' with a one-time code',
}

const to = (application: string | undefined) => (application ? ` to ${application}` : '')

const outcomes: Readonly<Record<OutcomeName, string>> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  pending: 'Not finished',
}

const methods: Readonly<Record<MethodName, string>> = {
  passkey: 'Passkey',
  password: 'Password',
  provider: 'Identity provider',
  code: 'One-time code',
}

const failures: Readonly<Record<FailureName, string>> = {
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
}

const steps: Readonly<Record<StepName, string>> = {
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
}

export const en = {
  succeeded: ({ user = 'Someone', application, method }: Parts) =>
    `${user} signed in${to(application)}${method ? withMethod[method] : ''}`,
  failed: ({ user, application, reason }: Parts) =>
    `${user ? `${user}’s sign-in` : 'Sign-in'}${to(application)} failed${reason ? `: ${reason}` : ''}`,
  pending: ({ user = 'Someone', application }: Parts) => `${user} hasn’t finished signing in${to(application)}`,
  more: (name: string, count: number) => `${name} and ${count} more`,
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
  moreSteps: (count: number) => (count === 1 ? '1 more step isn’t shown.' : `${count} more steps aren’t shown.`),
  noSteps: 'No steps were recorded.',
  stepsTitle: 'Steps',
}

export type SignInWords = typeof en
