/**
 * All rooms on one store, wired to each other: which methods they serve, what they do after a commit, and which kinds
 * they keep. What comes from outside is handed in, so that tests open the same house without a port.
 */
import type { Call } from './access/call.ts'
import type { GatePorts } from './access/gate.ts'
import type { Method } from './access/method.ts'
import { covers } from './access/roles.ts'
import { newMachineKeyPair } from './crypto/machine-key.ts'
import type { Passwords } from './crypto/passwords/index.ts'
import { SESSION_TOKEN_PREFIX } from './crypto/tokens.ts'
import { auditMethods } from './features/audit/index.ts'
import { hasIdentityLink, removeIdentityLinksOf } from './features/identity-links/index.ts'
import { instanceMethods, type Resealer, type Vault } from './features/instances/index.ts'
import { identifyByPersonalAccessToken, machineMethods, removeCredentials } from './features/machines/index.ts'
import { type MailRoom, mailResealers, openMail, type SendMail, sweepMessageTexts } from './features/mail/index.ts'
import {
  addMemberTo,
  grantsOf,
  keepAnOwner,
  keepAnOwnerBeside,
  membershipMethods,
  removeMembershipsOf,
  sweepMemberships,
  sweepUsers,
} from './features/memberships/index.ts'
import { openMessages } from './features/messages/index.ts'
import { removeMetadataOf } from './features/metadata/index.ts'
import {
  findOneTimeMethods,
  type OneTimeCodesNeeds,
  oneTimeCodeMethods,
  oneTimeCodeResealers,
  removeOneTimeCodesOf,
  removeOtpSmsOf,
  totpPort,
} from './features/one-time-codes/index.ts'
import { type OrganizationsNeeds, organizationJobs, organizationMethods } from './features/organizations/index.ts'
import {
  findPasskeyMethods,
  keysOf,
  type PasskeysNeeds,
  passkeyMethods,
  relyingPartyAt,
  removePasskeysOf,
} from './features/passkeys/index.ts'
import {
  findPasswordMethod,
  openPasswordChecks,
  type PasswordsNeeds,
  passwordMethods,
  passwordPort,
  removePassword,
} from './features/passwords/index.ts'
import {
  endSessionsOf,
  identifyBySessionToken,
  type SessionsNeeds,
  sessionMethods,
  sessionRefusals,
} from './features/sessions/index.ts'
import { effectiveSettings, settingsMethods, sweepSettings } from './features/settings/index.ts'
import { openSms, type PostWebhook, type SmsRoom, smsResealers } from './features/sms/index.ts'
import {
  addHuman,
  draftOfHuman,
  fieldsOfHuman,
  prepareHuman,
  type UsersNeeds,
  userMethods,
  userRefusals,
} from './features/users/index.ts'
import { removeVerifications } from './features/verifications/index.ts'
import type { NewId } from './kernel/id.ts'
import type { Clock } from './kernel/instant.ts'
import { refused } from './kernel/refusal.ts'
import { eventTypes, kinds } from './kinds.ts'
import type { JobHandlers, JobOptions, Store } from './store/index.ts'

export { eventTypes, kinds }

/** What the rooms are given from outside. */
export interface Outside {
  readonly store: Store
  readonly vault: Vault
  readonly newId: NewId
  readonly clock: Clock
  readonly instanceId: () => string
  readonly version: string
  /** Where the world finds the server. */
  readonly externalUrl: string
  /** The origins whose pages may ask for passkeys; undefined: those of whichever domain is asked for. */
  readonly origins?: readonly string[] | undefined
  readonly library: Passwords
  /** How mail leaves. */
  readonly send: SendMail
  /** How text messages leave. */
  readonly post: PostWebhook
  /** Whether webhooks may be on this machine or in its operator's network. */
  readonly allowsPrivate: boolean
  readonly findToken: OrganizationsNeeds['findToken']
  /** How long one request may wait for a mail: less than the port gives it. */
  readonly longestWaitMilliseconds: number
}

/** A group of jobs with pauses of its own. */
export interface JobGroup {
  readonly handlers: JobHandlers
  readonly options: Partial<JobOptions>
}

export interface Rooms {
  /** Every method of the contract with the room that serves it. */
  readonly methods: readonly Method[]
  /** Whose bearer it is, for the gate. */
  readonly identify: GatePorts['identify']
  readonly jobs: readonly JobGroup[]
  readonly resealers: readonly Resealer[]
  readonly mail: MailRoom
  readonly sms: SmsRoom
  readonly users: UsersNeeds
  readonly passwords: PasswordsNeeds
  readonly passkeys: PasskeysNeeds
  readonly oneTimeCodes: OneTimeCodesNeeds
  readonly sessions: SessionsNeeds
}

/** Whether the caller holds all that a user holds: who controls somebody's address, or has their key, can become them. */
const isCovered =
  (store: Store) =>
  async ({ caller }: Call, userId: string): Promise<boolean> =>
    caller.userId === userId || covers(caller.grants, await grantsOf(store, userId))

/** Throws unless the caller holds all that a user holds. */
const checkCovered =
  (store: Store) =>
  async (call: Call, userId: string): Promise<void> => {
    if (!(await isCovered(store)(call, userId))) throw refused(userRefusals, 'user.above_own')
  }

/** Whose bearer it is; what it starts with tells which kind it is. */
const identifyBearer = (store: Store, instanceId: () => string): GatePorts['identify'] => {
  const byPersonalAccessToken = identifyByPersonalAccessToken(store)
  const bySessionToken = identifyBySessionToken(store, instanceId)
  return (bearer, at) =>
    bearer.startsWith(SESSION_TOKEN_PREFIX) ? bySessionToken(bearer, at) : byPersonalAccessToken(bearer, at)
}

/** Opens the rooms of one process. */
export const openRooms = (outside: Outside): Rooms => {
  const { store, vault, newId, clock, instanceId, version, externalUrl, library, findToken } = outside
  const memberNeeds = { store, instanceId }
  const codes = { vault, instanceId }
  const defaultLanguage = async (organizationId: string): Promise<string> =>
    (await effectiveSettings(store, organizationId, instanceId())).defaultLanguage

  const { post, allowsPrivate, send, longestWaitMilliseconds } = outside
  const mail = openMail({ store, vault, newId, instanceId, clock, send, defaultLanguage, longestWaitMilliseconds })
  const sms = openSms({ store, vault, newId, instanceId, clock, post, allowsPrivate, defaultLanguage })
  const messages = openMessages({
    store,
    externalUrl,
    enqueueMail: mail.enqueueMail,
    enqueueSms: sms.enqueueSms,
  })

  const passwordNeeds: PasswordsNeeds = {
    store,
    instanceId,
    library,
    checks: openPasswordChecks({ store, library, instanceId }),
    codes,
    messages: { ...messages, textCode: messages.textResetCode },
  }

  const oneTimeCodeNeeds: OneTimeCodesNeeds = {
    store,
    instanceId,
    vault,
    externalUrl,
    messages: messages.oneTimeCodes,
    findKeys: (userId) => keysOf(store, userId, 'second_factor'),
  }

  const passkeyNeeds: PasskeysNeeds = {
    store,
    newId,
    instanceId,
    relyingParty: relyingPartyAt(externalUrl, outside.origins),
    codes,
    messages: messages.passkeys,
    isCovered: isCovered(store),
  }

  const sessionNeeds: SessionsNeeds = {
    store,
    newId,
    instanceId,
    checks: passwordNeeds.checks,
    passkeys: passkeyNeeds,
    oneTimeCodes: oneTimeCodeNeeds,
    // There are no identity providers that anybody could sign in with.
    checkIntent: async () => {
      throw refused(sessionRefusals, 'session.intent_not_succeeded')
    },
  }

  /** What follows when a user is removed, wherever the removal comes from. */
  const whenRemoved = [
    removeCredentials(store),
    removeMembershipsOf(memberNeeds),
    removePassword,
    removeVerifications,
    removeMetadataOf(store),
    removeIdentityLinksOf(store),
    removePasskeysOf(store),
    removeOneTimeCodesOf,
    endSessionsOf(store),
  ]

  const userNeeds: UsersNeeds = {
    store,
    newId,
    instanceId,
    whenRemoved,
    whenPhoneRemoved: [removeOtpSmsOf],
    beforeLockedOut: [keepAnOwnerBeside(store, instanceId)],
    checkCovered: checkCovered(store),
    codes,
    messages,
    passwords: passwordPort(passwordNeeds),
    totp: totpPort(oneTimeCodeNeeds),
    authenticationMethods: [
      findPasswordMethod(store),
      findPasskeyMethods(store),
      findOneTimeMethods(store),
      async (userId) => ((await hasIdentityLink(store, userId)) ? ['idp'] : []),
    ],
    // There are no identity providers that anybody could sign in with.
    findIdentityProvider: async () => false,
  }

  const organizationNeeds: OrganizationsNeeds = {
    store,
    newId,
    instanceId,
    findToken,
    addAdministrator: async (work, call, { organizationId, userId, roles }) => {
      await addMemberTo(memberNeeds, work, call, {
        scope: { level: 'organization', id: organizationId },
        userId,
        roles,
      })
    },
    prepareHuman: async (request, organizationId, field) => {
      const fields = fieldsOfHuman(field)
      const prepared = await prepareHuman(userNeeds, organizationId, draftOfHuman(request, fields), fields)
      return async (work) => {
        const { user, emailCode, phoneCode } = await addHuman(userNeeds, work, prepared)
        return { userId: user.id, emailCode, phoneCode }
      }
    },
    beforeClosing: [keepAnOwner(store, instanceId)],
  }

  const sweeps = [
    sweepMemberships(store),
    sweepUsers(store, whenRemoved),
    sweepMessageTexts(store),
    sweepSettings(store),
  ]

  return {
    methods: [
      ...instanceMethods({ store, instanceId, version, externalUrl }),
      ...organizationMethods(organizationNeeds),
      ...settingsMethods({ store, instanceId }),
      ...userMethods(userNeeds),
      ...passwordMethods(passwordNeeds),
      ...passkeyMethods(passkeyNeeds),
      ...oneTimeCodeMethods(oneTimeCodeNeeds),
      ...sessionMethods(sessionNeeds),
      ...machineMethods({ store, newId, newKeyPair: newMachineKeyPair }),
      ...membershipMethods(memberNeeds),
      ...mail.methods,
      ...sms.methods,
      ...auditMethods({ store, kinds, eventTypes }),
    ],
    identify: identifyBearer(store, instanceId),
    jobs: [
      { handlers: organizationJobs(sweeps, clock), options: {} },
      { handlers: mail.jobs, options: mail.jobOptions },
      { handlers: sms.jobs, options: sms.jobOptions },
    ],
    resealers: [...mailResealers(store, clock), ...smsResealers(store, clock), ...oneTimeCodeResealers(store, clock)],
    mail,
    sms,
    users: userNeeds,
    passwords: passwordNeeds,
    passkeys: passkeyNeeds,
    oneTimeCodes: oneTimeCodeNeeds,
    sessions: sessionNeeds,
  }
}
