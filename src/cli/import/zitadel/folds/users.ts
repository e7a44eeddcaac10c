/** Human and machine users with their credentials, from the events of `user`. */
import type { Instant } from '../../../../kernel/instant.ts'
import {
  anything,
  type CryptoValue,
  crypto,
  flag,
  hash,
  type Members,
  need,
  optional,
  type PeerEvent,
  take,
  text,
  texts,
  time,
  whole,
} from '../event.ts'
import { type Changes, type Folding, Parts } from '../fold.ts'

const PROFILE = {
  firstName: text,
  lastName: text,
  nickName: text,
  displayName: text,
  preferredLanguage: text,
  gender: whole,
}
const MACHINE = { name: text, description: text, accessTokenType: whole }
const ADDRESS = ['country', 'locality', 'postalCode', 'region', 'streetAddress']

export interface Authenticator {
  readonly use: 'passkey' | 'second-factor'
  readonly rpId?: string
  /** There when it was verified: only then it can be used. */
  readonly credential?: {
    readonly name: string
    readonly credentialId: string
    readonly publicKey: string
    readonly aaguid: string
    readonly signCount: number
  }
}

export interface PublicKey {
  /** PEM in base64. */
  readonly publicKey: string
  readonly expiresAt: Instant
}

export interface UserState {
  type: 'human' | 'machine'
  userName: string
  state: 'active' | 'inactive' | 'locked' | 'initial'
  /** An invitation that was not accepted. */
  isInvited: boolean
  profile: Members<typeof PROFILE>
  machine: Members<typeof MACHINE>
  hasAddress: boolean
  /** When the user chose not to set up a second factor. */
  skippedAt?: Instant
  email?: { address: string; isVerified: boolean }
  phone?: { number: string; isVerified: boolean }
  password?: { hash: string; changeRequired: boolean; changedAt: Instant }
  totp?: { secret: CryptoValue; isVerified: boolean }
  otpEmail: boolean
  otpSms: boolean
  recoveryCodes: readonly string[]
  authenticators: Parts<Authenticator>
  /** By provider and the ID of the user there. */
  links: Parts<{ readonly providerId: string; readonly userId: string; readonly userName: string }>
  keys: Parts<PublicKey>
  secret?: string
  tokens: Parts<{ readonly expiresAt: Instant; readonly hasScopes: boolean }>
}

function newUser(): UserState {
  return {
    type: 'human',
    userName: '',
    state: 'active',
    isInvited: false,
    profile: {},
    machine: {},
    hasAddress: false,
    otpEmail: false,
    otpSms: false,
    recoveryCodes: [],
    authenticators: new Parts(),
    links: new Parts(),
    keys: new Parts(),
    tokens: new Parts(),
  }
}

/** Older events have an object, newer ones a text. */
export function secretHash(event: PeerEvent, old: string, current: string): string | undefined {
  return optional(event, old, hash) ?? optional(event, current, hash)
}

function setPassword(user: UserState, event: PeerEvent): void {
  const found = secretHash(event, 'secret', 'encodedHash')
  if (!found) return
  user.password = { hash: found, changeRequired: optional(event, 'changeRequired', flag) ?? false, changedAt: event.at }
}

function addHuman(user: UserState, event: PeerEvent): void {
  user.userName = need(event, 'userName', text)
  user.profile = take(event, PROFILE)
  user.hasAddress = ADDRESS.filter((name) => optional(event, name, anything)).length > 0
  const address = optional(event, 'email', text)
  if (address) user.email = { address, isVerified: false }
  const number = optional(event, 'phone', text)
  if (number) user.phone = { number, isVerified: false }
  setPassword(user, event)
}

function linkKey(event: PeerEvent, userId: string): string {
  return `${need(event, 'idpConfigId', text)} ${need(event, userId, text)}`
}

function publicKeyOf(event: PeerEvent): PublicKey {
  return { publicKey: need(event, 'publicKey', text), expiresAt: need(event, 'expirationDate', time) }
}

export { publicKeyOf }

function authenticatorChanges(base: string, use: Authenticator['use']): Changes<UserState> {
  return {
    [`${base}.token.added`]: ({ authenticators }, event) => {
      const rpId = optional(event, 'rpID', text)
      authenticators.add(need(event, 'webAuthNTokenId', text), { use, ...(rpId && { rpId }) }, event)
    },
    [`${base}.token.verified`]: ({ authenticators }, event) =>
      authenticators.change(need(event, 'webAuthNTokenId', text), event, (authenticator) => ({
        ...authenticator,
        credential: {
          name: optional(event, 'webAuthNTokenName', text) ?? '',
          credentialId: need(event, 'keyId', text),
          publicKey: need(event, 'publicKey', text),
          aaguid: optional(event, 'aaguid', text) ?? '',
          signCount: optional(event, 'signCount', whole) ?? 0,
        },
      })),
    [`${base}.token.signcount.changed`]: ({ authenticators }, event) =>
      authenticators.change(need(event, 'webAuthNTokenId', text), event, ({ credential, ...authenticator }) => {
        const signCount = Math.max(credential?.signCount ?? 0, optional(event, 'signCount', whole) ?? 0)
        return { ...authenticator, ...(credential && { credential: { ...credential, signCount } }) }
      }),
    [`${base}.token.removed`]: ({ authenticators }, event) =>
      authenticators.remove(need(event, 'webAuthNTokenId', text)),
  }
}

/** Events whose names once lacked `human.`. */
const HUMAN_SINCE_EVER: Changes<UserState> = {
  'user.human.added': addHuman,
  'user.human.selfregistered': addHuman,
  'user.human.profile.changed': (user, event) => {
    user.profile = { ...user.profile, ...take(event, PROFILE) }
  },
  'user.human.email.changed': (user, event) => {
    user.email = { address: need(event, 'email', text), isVerified: false }
  },
  'user.human.email.verified': (user) => {
    if (user.email) user.email.isVerified = true
  },
  'user.human.phone.changed': (user, event) => {
    user.phone = { number: need(event, 'phone', text), isVerified: false }
  },
  'user.human.phone.verified': (user) => {
    if (user.phone) user.phone.isVerified = true
  },
  'user.human.phone.removed': (user) => {
    delete user.phone
    user.otpSms = false
  },
  'user.human.password.changed': setPassword,
  'user.human.initialization.code.added': (user) => {
    user.state = 'initial'
  },
  'user.human.initialization.check.succeeded': (user) => {
    user.state = 'active'
  },
  'user.human.mfa.otp.added': (user, event) => {
    user.totp = { secret: need(event, 'otpSecret', crypto), isVerified: false }
  },
  'user.human.mfa.otp.verified': (user) => {
    if (user.totp) user.totp.isVerified = true
  },
  'user.human.mfa.otp.removed': (user) => {
    delete user.totp
  },
}

const HUMAN: Changes<UserState> = {
  ...HUMAN_SINCE_EVER,
  ...Object.fromEntries(
    Object.entries(HUMAN_SINCE_EVER).map(([type, change]) => [type.replace('user.human.', 'user.'), change]),
  ),
  ...authenticatorChanges('user.human.mfa.u2f', 'second-factor'),
  ...authenticatorChanges('user.human.passwordless', 'passkey'),
  'user.human.password.hash.updated': (user, event) => {
    if (user.password) user.password.hash = need(event, 'encodedHash', hash)
  },
  'user.human.invite.code.added': (user) => {
    user.isInvited = true
  },
  'user.human.invite.check.succeeded': (user) => {
    user.isInvited = false
  },
  'user.human.mfa.init.skipped': (user, event) => {
    user.skippedAt = event.at
  },
  'user.mfa.otp.init.skipped': (user, event) => {
    user.skippedAt = event.at
  },
  'user.human.mfa.otp.sms.added': (user) => {
    user.otpSms = true
  },
  'user.human.mfa.otp.sms.removed': (user) => {
    user.otpSms = false
  },
  'user.human.mfa.otp.email.added': (user) => {
    user.otpEmail = true
  },
  'user.human.mfa.otp.email.removed': (user) => {
    user.otpEmail = false
  },
  'user.human.mfa.recoverycode.added': (user, event) => {
    user.recoveryCodes = [...user.recoveryCodes, ...need(event, 'codes', texts)]
  },
  'user.human.mfa.recoverycode.check.succeeded': (user, event) => {
    const used = optional(event, 'codeChecked', text)
    user.recoveryCodes = user.recoveryCodes.filter((code) => code !== used)
  },
  'user.human.mfa.recoverycode.removed': (user) => {
    user.recoveryCodes = []
  },
  'user.human.externalidp.added': ({ links }, event) => {
    const providerId = need(event, 'idpConfigId', text)
    const userId = need(event, 'userId', text)
    const userName = optional(event, 'displayName', text) ?? ''
    links.add(linkKey(event, 'userId'), { providerId, userId, userName }, event)
  },
  'user.human.externalidp.removed': ({ links }, event) => links.remove(linkKey(event, 'userId')),
  'user.human.externalidp.cascade.removed': ({ links }, event) => links.remove(linkKey(event, 'userId')),
  'user.human.externalidp.id.migrated': ({ links }, event) => {
    const previous = links.living.get(linkKey(event, 'previousId'))
    if (previous === undefined) return
    links.remove(linkKey(event, 'previousId'))
    links.add(linkKey(event, 'newId'), { ...previous.value, userId: need(event, 'newId', text) }, event)
  },
  'user.human.externalidp.username.changed': ({ links }, event) =>
    links.change(linkKey(event, 'userId'), event, (link) => ({ ...link, userName: need(event, 'username', text) })),
}

function rename(user: UserState, event: PeerEvent): void {
  user.userName = need(event, 'userName', text)
}

const ANY_USER: Changes<UserState> = {
  // Only their dates count here; see `avatars`.
  'user.human.avatar.added': () => {},
  'user.human.avatar.removed': () => {},
  'user.username.changed': rename,
  'user.domain.claimed': rename,
  'user.locked': (user) => {
    user.state = 'locked'
  },
  'user.unlocked': (user) => {
    user.state = 'active'
  },
  'user.deactivated': (user) => {
    user.state = 'inactive'
  },
  'user.reactivated': (user) => {
    user.state = 'active'
  },
}

const MACHINES: Changes<UserState> = {
  'user.machine.added': (user, event) => {
    user.type = 'machine'
    user.userName = need(event, 'userName', text)
    user.machine = take(event, MACHINE)
  },
  'user.machine.changed': (user, event) => {
    user.machine = { ...user.machine, ...take(event, MACHINE) }
  },
  'user.machine.key.added': ({ keys }, event) => keys.add(need(event, 'keyId', text), publicKeyOf(event), event),
  'user.machine.key.removed': ({ keys }, event) => keys.remove(need(event, 'keyId', text)),
  ...Object.fromEntries(
    ['set', 'updated'].map((action) => [
      `user.machine.secret.${action}`,
      (user: UserState, event: PeerEvent) => {
        user.secret = secretHash(event, 'clientSecret', 'hashedSecret') ?? ''
      },
    ]),
  ),
  'user.machine.secret.removed': (user) => {
    delete user.secret
  },
  'user.pat.added': ({ tokens }, event) => {
    const expiresAt = need(event, 'expiration', time)
    const hasScopes = (optional(event, 'scopes', texts) ?? []).length > 0
    tokens.add(need(event, 'tokenId', text), { expiresAt, hasScopes }, event)
  },
  'user.pat.removed': ({ tokens }, event) => tokens.remove(need(event, 'tokenId', text)),
}

/** The events with which a user begins. */
export const USER_BEGINS = [
  'user.human.added',
  'user.human.selfregistered',
  'user.added',
  'user.selfregistered',
  'user.machine.added',
]

export const users: Folding<UserState> = {
  aggregateType: 'user',
  initial: newUser,
  begins: USER_BEGINS,
  ends: ['user.removed'],
  dating:
    /^user\.((human\.)?(added|selfregistered|profile|email|phone|initialization|avatar)|username|domain|(un)?locked|(de|re)activated|machine\.(added|changed|secret))/,
  changes: { ...HUMAN, ...ANY_USER, ...MACHINES },
}

/** The storage name of each user's picture. */
export const avatars: Folding<{ storeKey?: string }> = {
  aggregateType: 'user',
  initial: () => ({}),
  ends: ['user.removed'],
  changes: {
    'user.human.avatar.added': (state, event) => {
      // A version of the file follows its name.
      state.storeKey = need(event, 'storeKey', text).replace(/\?.*$/, '')
    },
    'user.human.avatar.removed': (state) => {
      delete state.storeKey
    },
  },
}
