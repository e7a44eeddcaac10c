/** Reads everything that the account page shows. */
import type { App } from '../../../module/app.ts'
import type { Document } from '../../../store/index.ts'
import { assetPath } from '../../assets/index.ts'
import { waitingApprovals } from '../../authorization-requests/index.ts'
import { type ApplicationAccess, applicationsWithAccess } from '../../grants/index.ts'
import { identityLinkId } from '../../identity-links/index.ts'
import { grantsOf } from '../../memberships/index.ts'
import { codesLeft, oneTimeCodesOf, verifiedTarget } from '../../one-time-codes/index.ts'
import { type KeyUse, type KnownKey, keysOf, userHandleOf } from '../../passkeys/index.ts'
import { passwordFacts } from '../../passwords/index.ts'
import { type OpenSession, openSessionsOf } from '../../sessions/index.ts'
import { securitySettings, settingsOfUser } from '../../settings/index.ts'
import {
  isSignInComplete,
  linkableProviders,
  linksOf,
  type OfferedProvider,
  type Person,
  secondFactorsOf,
} from '../../sign-in/index.ts'
import { hasSmsProvider } from '../../sms/index.ts'
import { type HumanUser, isManagedElsewhere, type Profile, users } from '../../users/index.ts'
import { isLastWay, waysToSignIn } from '../ways-to-sign-in.ts'

export interface OwnSession {
  readonly id: string
  readonly description: string
  /** Empty when it is not known. */
  readonly ip: string
  readonly since: number
  readonly lastUsedAt: number
  readonly expiresAt: number
  /** Whether it is the session of this browser. */
  readonly isThis: boolean
}

export interface OwnKey {
  readonly id: string
  readonly use: KeyUse
  readonly name: string
  readonly addedAt: number
  /** To the day; undefined: not since that is noted. */
  readonly usedAt: number | undefined
  /** It cannot be removed, because the user could no longer sign in. */
  readonly isLastWay: boolean
}

/** An account at an identity provider that the user signs in with. */
export interface OwnLink {
  readonly idpId: string
  readonly externalUserId: string
  /** Undefined when the provider was removed. */
  readonly providerName: string | undefined
  /** The account name at the provider. */
  readonly accountName: string
  /** Whether the user can sign in with it now. */
  readonly isUsable: boolean
  readonly addedAt: number
  /** It cannot be removed, because the user could no longer sign in. */
  readonly isLastWay: boolean
}

/** The valid passkeys of a user, for password managers. All values are base64url. */
export interface AcceptedKeys {
  readonly rpId: string
  readonly userId: string
  readonly accepted: readonly string[]
}

export interface Account {
  readonly email: string
  readonly isEmailVerified: boolean
  readonly phone: string
  readonly isPhoneVerified: boolean
  readonly profile: Profile
  /** The path of the picture. */
  readonly picture: string | undefined
  /** Whether the verified address can become the username. */
  readonly canUseAddressAsName: boolean
  /** Only a directory changes names, address, number and username. */
  readonly isManaged: boolean
  readonly allowsDeletion: boolean
  /** When the account will be deleted. */
  readonly deletedAt: number | undefined
  readonly sessions: readonly OwnSession[]
  readonly keys: readonly OwnKey[]
  readonly hasTotp: boolean
  /** A medium without a verified address cannot be turned on. */
  readonly otp: Readonly<Record<'email' | 'sms', { readonly isOn: boolean; readonly target: string | undefined }>>
  /** Whether text messages can be sent. */
  readonly canText: boolean
  readonly recoveryCodesLeft: number
  readonly hasPassword: boolean
  readonly links: readonly OwnLink[]
  /** The identity providers whose accounts can be linked. */
  readonly linkable: readonly OfferedProvider[]
  /** One entry for each domain on which the user has passkeys. */
  readonly acceptedKeys: readonly AcceptedKeys[]
  /** Whether the user has roles of an administrator somewhere. */
  readonly isAdministrator: boolean
  /** The applications that can use the account. */
  readonly applications: readonly ApplicationAccess[]
  /** How many applications wait for the user's approval. */
  readonly approvalsWaiting: number
}

/** How many sessions are shown, newest first. */
const MOST_SESSIONS = 100

/** The passkeys of a user by domain, for password managers. */
export function acceptedKeysOf(userId: string, keys: readonly KnownKey[]): readonly AcceptedKeys[] {
  const passkeys = keys.filter(({ use }) => use === 'passkey')
  return [...new Set(passkeys.map(({ rpId }) => rpId))].map((rpId) => ({
    rpId,
    userId: userHandleOf(userId),
    accepted: passkeys.filter((key) => key.rpId === rpId).map(({ credentialId }) => credentialId),
  }))
}

/** The valid sessions of a user, newest first. */
export function findOwnSessions(app: App, { userId }: Person): Promise<readonly Document<OpenSession>[]> {
  return openSessionsOf(app, userId, app.clock(), MOST_SESSIONS)
}

/** The sessions in which the user is signed in; a sign-in that waits for its second factor is none. */
async function findCompleteSessions(app: App, person: Person): Promise<readonly Document<OpenSession>[]> {
  const [found, { login }] = await Promise.all([findOwnSessions(app, person), settingsOfUser(app, person)])
  const factors = await secondFactorsOf(app, person.userId, login)
  return found.filter(({ id, state }) => id === person.sessionId || isSignInComplete(state, login, factors))
}

function personalOf({ email, phone, profile, avatar, userName, deletion }: HumanUser) {
  return {
    isEmailVerified: email.isVerified,
    phone: phone?.number ?? '',
    isPhoneVerified: phone?.isVerified ?? false,
    profile,
    picture: avatar && assetPath(avatar),
    canUseAddressAsName: email.isVerified && email.address !== userName,
    deletedAt: deletion?.dueAt,
  }
}

/** Reads the account of a user. */
export async function readAccount(app: App, person: Person): Promise<Account> {
  const { userId, sessionId } = person
  const [
    user,
    sessions,
    keys,
    codes,
    facts,
    links,
    linkable,
    ways,
    applications,
    canText,
    security,
    grants,
    approvals,
    isManaged,
  ] = await Promise.all([
    app.store.get(users, userId),
    findCompleteSessions(app, person),
    keysOf(app, userId),
    oneTimeCodesOf(app, userId),
    passwordFacts(app, [userId]),
    linksOf(app, person),
    linkableProviders(app, person),
    waysToSignIn(app, person),
    applicationsWithAccess(app, userId),
    hasSmsProvider(app),
    securitySettings(app),
    grantsOf(app, userId),
    waitingApprovals(app, userId),
    isManagedElsewhere(app.store, userId),
  ])
  const human = user?.state as HumanUser
  const medium = (name: 'email' | 'sms') => ({
    isOn: codes.otp[name]?.isOn ?? false,
    target: verifiedTarget(human, name),
  })
  return {
    email: human.email.address,
    ...personalOf(human),
    isManaged,
    allowsDeletion: security.allowsSelfDeletion === true,
    sessions: sessions.map(({ id, state, createdAt, changedAt }) => ({
      id,
      description: state.userAgent?.description ?? '',
      ip: state.userAgent?.ip ?? '',
      since: createdAt,
      lastUsedAt: changedAt,
      expiresAt: state.endsAt,
      isThis: id === sessionId,
    })),
    keys: keys.map(({ id, use, name, createdAt, usedAt }) => ({
      id,
      use,
      name,
      addedAt: createdAt,
      usedAt,
      isLastWay: use === 'passkey' && isLastWay(ways, { type: 'passkey', id }),
    })),
    hasTotp: codes.totp?.status === 'ready',
    otp: { email: medium('email'), sms: medium('sms') },
    canText,
    recoveryCodesLeft: codes.recovery === undefined ? 0 : codesLeft(codes.recovery),
    hasPassword: facts.has(userId),
    links: links.map((link) => ({
      idpId: link.idpId,
      externalUserId: link.externalUserId,
      providerName: link.provider?.state.name,
      accountName: link.externalUserName,
      isUsable: link.isUsable,
      addedAt: link.createdAt,
      isLastWay: isLastWay(ways, { type: 'identity_link', id: identityLinkId(link) }),
    })),
    linkable,
    acceptedKeys: acceptedKeysOf(userId, keys),
    isAdministrator: grants.length > 0,
    applications,
    approvalsWaiting: approvals.length,
  }
}
