/** Rooms of paper behind the pages for signing in and for one's own account: a person with one password and one code. */

import type { Failure, Person, SignInPort } from '../../src/features/sign-in/person.ts'
import type { Account, AccountPort, KeyLinkPort } from '../../src/web/account-ports.ts'
import type { ExternalPort, ForeignAccount } from '../../src/web/external-ports.ts'

export const RIGHT_PASSWORD = 'right password'
export const RIGHT_CODE_OF_APP = '123456'

/** The token of the browser of somebody who is signed in, and of others who stand elsewhere. */
export const TOKENS = {
  done: 'token-done',
  stale: 'token-stale',
  second: 'token-second',
  setUp: 'token-set-up',
  change: 'token-change',
  away: 'token-away',
} as const

const ADA: Person = {
  sessionId: 'session-1',
  userId: 'u1',
  organizationId: 'org-1',
  userName: 'ada',
  displayName: 'Ada <Lovelace>',
  step: 'none',
  isFresh: true,
  factors: [],
  sent: [],
  offered: ['totp', 'u2f'],
  hasPassword: true,
  provesWith: ['password', 'passkey'],
  redirectUri: '',
}

const PEOPLE: Readonly<Record<string, Person>> = {
  [TOKENS.done]: ADA,
  [TOKENS.stale]: { ...ADA, isFresh: false },
  [TOKENS.second]: {
    ...ADA,
    step: 'second_factor',
    factors: ['totp', 'u2f', 'otp_email', 'otp_sms', 'recovery_code'],
    sent: ['otp_sms'],
  },
  [TOKENS.setUp]: { ...ADA, step: 'set_up_second_factor' },
  [TOKENS.change]: { ...ADA, step: 'change_password' },
  [TOKENS.away]: { ...ADA, redirectUri: 'https://app.example.com/start?a=1' },
}

export const ACCOUNT: Account = {
  email: 'ada@example.com',
  sessions: [
    { id: 'session-1', description: 'Firefox, Linux', since: 1, expiresAt: 2_000_000_000_000, isThis: true },
    { id: 'session-2', description: '', since: 1, expiresAt: 2_000_000_000_000, isThis: false },
  ],
  keys: [
    { id: 'key-1', use: 'passkey', name: 'My <phone>', addedAt: 1 },
    { id: 'key-2', use: 'second_factor', name: '', addedAt: 1 },
  ],
  hasTotp: false,
  otp: { email: { isOn: false, target: 'ada@example.com' }, sms: { isOn: false, target: undefined } },
  recoveryCodesLeft: 3,
  hasPassword: true,
  links: [
    {
      idpId: 'idp-1',
      externalUserId: 'sub-1',
      providerName: 'Acme <b>',
      accountName: 'ada@acme',
      isUsable: true,
      addedAt: 1,
    },
  ],
  linkable: [{ id: 'idp-1', name: 'Acme <b>', look: 'plain' }],
  acceptedKeys: [{ rpId: 'localhost', userId: 'dTE', accepted: ['Y3JlZA'] }],
}

const EXPIRES_AT = 1_800_000_600_000

const done = { outcome: 'done' } as const

/** An account at a provider that is nobody's, where everything is allowed. */
export const FOREIGN: ForeignAccount = {
  outcome: 'read',
  providerName: 'Acme <b>',
  accountName: 'ada@acme <i>',
  userId: undefined,
  mayLink: true,
  mayRegister: true,
  known: { firstName: 'Ada "A"', lastName: 'King', userName: 'ada', email: 'ada@acme.example' },
}

/** Providers of paper: what came back is named by the id of the intent. */
export function paperExternal(
  deeds: string[],
  accounts: Readonly<Record<string, Partial<ForeignAccount>>> = {},
): ExternalPort {
  return {
    offered: async (organizationId) => {
      if (organizationId === 'closed') return []
      const count = organizationId === 'many' ? 200 : 2
      const others = Array.from({ length: count - 2 }, (_, index) => ({
        id: `idp-${index + 3}`,
        name: `Provider ${index + 3}`,
        look: 'plain' as const,
      }))
      return [
        { id: 'idp-1', name: 'Acme <b>', look: 'plain' },
        { id: 'idp-2', name: 'Google', look: 'google' },
        ...others,
      ]
    },
    linkedTo: async () => [{ id: 'idp-1', name: 'Acme <b>', look: 'plain' }],
    nameOf: async (idpId) => (idpId === 'idp-1' ? 'Acme <b>' : undefined),
    async start({ idpId, organizationId, browser, successUrl, failureUrl }) {
      if (idpId === 'down') return { outcome: 'unavailable' }
      if (idpId !== 'idp-1') return { outcome: idpId === 'busy' ? 'busy' : 'refused' }
      deeds.push(`start ${idpId} ${organizationId ?? '-'} ${browser.length} ${successUrl} ${failureUrl}`)
      return { outcome: 'started', url: 'https://acme.example/authorize?state=s' }
    },
    read: async ({ intentId, token }) =>
      token === 'right' ? { ...FOREIGN, ...accounts[intentId] } : { outcome: token === 'busy' ? 'busy' : 'refused' },
    async link({ userId }, { intentId }) {
      deeds.push(`link ${userId} ${intentId}`)
      return { outcome: 'done' }
    },
    async register({ intentId }, { firstName, lastName, userName, email, language }) {
      if (userName === 'taken') return { outcome: 'mistaken', fields: ['userName'] }
      deeds.push(`register ${intentId} ${firstName} ${lastName} ${userName} ${email} ${language}`)
      return { outcome: 'done', userId: 'u9' }
    },
  }
}

/** Writes down what it was asked to do. */
export function paperAccount(deeds: string[]): {
  readonly signIn: SignInPort
  readonly external: ExternalPort
  readonly account: AccountPort
  readonly keyLinks: KeyLinkPort
} {
  const renewed = { outcome: 'done', token: TOKENS.done, expiresAt: EXPIRES_AT } as const
  const judge = (typed: string, right: string): Failure | undefined => {
    if (typed === right) return undefined
    if (typed === 'too often') return { outcome: 'throttled', retryAfterSeconds: 90 }
    if (typed === 'broken') throw new Error('the secret of the house')
    return { outcome: typed === 'busy' ? 'busy' : typed === 'gone' ? 'gone' : 'refused' }
  }
  const note = (deed: string) => {
    deeds.push(deed)
    return done
  }
  return {
    signIn: {
      rules: async (organizationId) => ({
        allowsPassword: organizationId !== 'passkeys-only',
        allowsPasskeys: organizationId !== 'passwords-only',
        hidesPasswordReset: organizationId === 'no-reset',
      }),
      find: async (token) => PEOPLE[token],
      async signIn({ userName, password, client, before }) {
        const failure = judge(password, RIGHT_PASSWORD)
        if (failure !== undefined) return failure
        deeds.push(`sign in ${userName} ${client.description || '-'} ${before ?? '-'}`)
        return renewed
      },
      async signInElsewhere({ proof, userId, before }) {
        const failure = judge(proof.token, 'right')
        if (failure !== undefined) return failure
        deeds.push(`sign in elsewhere ${proof.intentId} ${userId} ${before ?? '-'}`)
        return renewed
      },
      async askForKey({ use, token, isOfAnybody, client }) {
        deeds.push(`ask ${use} ${isOfAnybody ? 'anybody' : token} ${client.host}`)
        if (client.host === '127.0.0.1') return { outcome: 'unavailable' }
        return { outcome: 'asked', publicKey: { challenge: 'abc' }, token: 'token-asked', expiresAt: EXPIRES_AT }
      },
      async show(token, proof) {
        const [typed, right] =
          'password' in proof
            ? [proof.password, RIGHT_PASSWORD]
            : 'credential' in proof
              ? [String(proof.credential.id), 'right']
              : [proof.code, RIGHT_CODE_OF_APP]
        const failure = judge(typed, right)
        if (failure !== undefined) return failure
        deeds.push(`show ${token} ${Object.keys(proof)[0]} ${'factor' in proof ? proof.factor : '-'}`)
        return renewed
      },
      async send(token, factor) {
        deeds.push(`send ${token} ${factor}`)
        return { ...renewed, token: TOKENS.second }
      },
      signOut: async (token) => void deeds.push(`sign out ${token}`),
    },
    external: paperExternal(deeds),
    account: {
      read: async () => ACCOUNT,
      endSessions: async ({ userId }, sessionId) => note(`end ${userId} ${sessionId ?? 'others'}`),
      startKey: async ({ userId }, use) => {
        deeds.push(`start key ${userId} ${use}`)
        return { outcome: 'asked', keyId: 'key-9', publicKey: { challenge: 'abc' } }
      },
      finishKey: async ({ userId }, { use, keyId, credential, name }) =>
        credential.id === 'right' ? note(`finish key ${userId} ${use} ${keyId} ${name}`) : { outcome: 'refused' },
      renameKey: async ({ userId }, { use, keyId, name }) => note(`rename ${userId} ${use} ${keyId} ${name}`),
      async removeKey({ userId }, { use, keyId }) {
        if (keyId === 'none') return { outcome: 'refused' }
        note(`remove ${userId} ${use} ${keyId}`)
        return { outcome: 'done', signal: { rpId: 'localhost', userId: 'dTE', accepted: [], removed: 'Y3JlZA' } }
      },
      removeLink: async ({ userId }, { idpId, externalUserId }) =>
        externalUserId === 'none' ? { outcome: 'refused' } : note(`unlink ${userId} ${idpId} ${externalUserId}`),
      async startTotp({ userId }) {
        note(`start app ${userId}`)
        return {
          outcome: 'done',
          uri: 'otpauth://totp/localhost:ada?secret=ABCDEFGHIJKLMNOP',
          secret: 'ABCDEFGHIJKLMNOP',
        }
      },
      finishTotp: async ({ userId }, code) => judge(code, RIGHT_CODE_OF_APP) ?? note(`finish app ${userId}`),
      removeTotp: async ({ userId }) => note(`remove app ${userId}`),
      setOtp: async ({ userId }, medium, isOn) => note(`otp ${userId} ${medium} ${isOn}`),
      async makeRecoveryCodes({ userId }) {
        note(`make codes ${userId}`)
        return { outcome: 'done', codes: ['AAAAA-BBBBB', 'CCCCC-DDDDD'] }
      },
      changePassword: async ({ userId }, { current, password }) =>
        judge(current, RIGHT_PASSWORD) ?? note(`change password ${userId} ${password}`),
    },
    keyLinks: {
      startByLink: async ({ userId, codeId, code }) =>
        code === 'RIGHT7' && codeId === 'c1'
          ? { outcome: 'asked', keyId: 'key-9', publicKey: { challenge: `for ${userId}` } }
          : { outcome: 'refused' },
      finishByLink: async ({ userId, keyId, credential, name }) =>
        credential.id === 'right' ? note(`register ${userId} ${keyId} ${name}`) : { outcome: 'refused' },
      startBySetUp: async ({ code }) =>
        code === 'RIGHT7'
          ? { outcome: 'asked', keyId: 'key-9', publicKey: { challenge: 'abc' } }
          : { outcome: 'refused' },
      finishBySetUp: async ({ userId, code, credential }) =>
        code === 'RIGHT7' && credential.id === 'right'
          ? { ...note(`set up key ${userId}`), userName: 'admin' }
          : { outcome: 'refused' },
    },
  }
}
