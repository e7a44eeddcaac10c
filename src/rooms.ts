/**
 * All rooms on one store, wired to each other: which methods they serve, what they do after a commit, and which kinds
 * they keep. What comes from outside is handed in, so that tests open the same house without a port.
 */
import type { Call } from './access/call.ts'
import type { Method } from './access/method.ts'
import type { GuardedFetch } from './access/outbound-fetch.ts'
import { covers } from './access/roles.ts'
import { newMachineKeyPair } from './crypto/machine-key.ts'
import type { Passwords } from './crypto/passwords/index.ts'
import { auditMethods } from './features/audit/index.ts'
import { hasIdentityLink, removeIdentityLinksOf, sweepLinksOfProvider } from './features/identity-links/index.ts'
import {
  findProvider,
  findProviderOf,
  identityProviderJobs,
  identityProviderMethods,
  identityProviderResealers,
  openProvider,
  sweepProviders,
} from './features/identity-providers/index.ts'
import { instanceMethods, type Resealer, type Vault } from './features/instances/index.ts'
import { machineMethods, removeCredentials } from './features/machines/index.ts'
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
import { type OrganizationsNeeds, organizationJobs, organizationMethods } from './features/organizations/index.ts'
import {
  findPasswordMethod,
  openPasswordChecks,
  type PasswordsNeeds,
  passwordMethods,
  passwordPort,
  removePassword,
} from './features/passwords/index.ts'
import { effectiveSettings, settingsMethods, sweepSettings } from './features/settings/index.ts'
import {
  type AllowedRedirects,
  type IntentsNeeds,
  intentMethods,
  intentResealers,
  openRelyingParty,
} from './features/sign-in-intents/index.ts'
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
  readonly library: Passwords
  /** How mail leaves. */
  readonly send: SendMail
  /** How text messages leave. */
  readonly post: PostWebhook
  /** Whether webhooks may be on this machine or in its operator's network. */
  readonly allowsPrivate: boolean
  /** How we reach addresses that callers chose. */
  readonly fetchOutside: GuardedFetch
  /** Where browsers may be sent after a sign-in elsewhere. */
  readonly allowedRedirects: AllowedRedirects
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
  readonly jobs: readonly JobGroup[]
  readonly resealers: readonly Resealer[]
  readonly mail: MailRoom
  readonly sms: SmsRoom
  readonly users: UsersNeeds
  readonly passwords: PasswordsNeeds
  readonly intents: IntentsNeeds
}

/** Where providers send browsers back to. */
const CALLBACK_PATH = '/idps/callback'

/** Throws unless the caller holds all that a user holds: who controls somebody's address can become them. */
const checkCovered =
  (store: Store) =>
  async ({ caller }: Call, userId: string): Promise<void> => {
    if (caller.userId === userId || covers(caller.grants, await grantsOf(store, userId))) return
    throw refused(userRefusals, 'user.above_own')
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

  /** What follows when a user is removed, wherever the removal comes from. */
  const whenRemoved = [
    removeCredentials(store),
    removeMembershipsOf(memberNeeds),
    removePassword,
    removeVerifications,
    removeMetadataOf(store),
    removeIdentityLinksOf(store),
  ]

  const userNeeds: UsersNeeds = {
    store,
    newId,
    instanceId,
    whenRemoved,
    beforeLockedOut: [keepAnOwnerBeside(store, instanceId)],
    checkCovered: checkCovered(store),
    codes,
    messages,
    passwords: passwordPort(passwordNeeds),
    authenticationMethods: [
      findPasswordMethod(store),
      async (userId) => ((await hasIdentityLink(store, userId)) ? ['idp'] : []),
    ],
    findIdentityProvider: async (work, idpId, organizationId) =>
      (await findProviderOf(work, idpId, [organizationId, instanceId()])) !== undefined,
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

  const intentNeeds: IntentsNeeds = {
    store,
    vault,
    newId,
    clock,
    instanceId,
    findProvider: (idpId) => openProvider({ store, vault }, idpId, clock()),
    async findProviderState(reader, idpId) {
      const provider = await findProvider(reader, idpId)
      return provider && { owner: provider.owner, state: provider.state.status }
    },
    async prepareHuman(organizationId, draft) {
      const prepared = await prepareHuman(userNeeds, organizationId, draft, fieldsOfHuman())
      return async (work) => (await addHuman(userNeeds, work, prepared)).user.id
    },
    relyingParty: openRelyingParty({
      fetch: outside.fetchOutside,
      clock,
      redirectUri: new URL(CALLBACK_PATH, externalUrl).href,
      timeoutMilliseconds: Math.min(20_000, longestWaitMilliseconds),
    }),
    allowedRedirects: outside.allowedRedirects,
  }

  const sweeps = [
    sweepMemberships(store),
    sweepUsers(store, whenRemoved),
    sweepMessageTexts(store),
    sweepSettings(store),
    sweepProviders(store),
  ]

  /** What follows when an identity provider is removed. */
  const whenProviderRemoved = [sweepLinksOfProvider(store)]

  return {
    methods: [
      ...instanceMethods({ store, instanceId, version, externalUrl }),
      ...organizationMethods(organizationNeeds),
      ...settingsMethods({ store, instanceId }),
      ...userMethods(userNeeds),
      ...passwordMethods(passwordNeeds),
      ...machineMethods({ store, newId, newKeyPair: newMachineKeyPair }),
      ...membershipMethods(memberNeeds),
      ...identityProviderMethods({ store, vault, newId, instanceId }),
      ...intentMethods(intentNeeds),
      ...mail.methods,
      ...sms.methods,
      ...auditMethods({ store, kinds, eventTypes }),
    ],
    jobs: [
      { handlers: organizationJobs(sweeps, clock), options: {} },
      { handlers: identityProviderJobs(whenProviderRemoved, clock), options: {} },
      { handlers: mail.jobs, options: mail.jobOptions },
      { handlers: sms.jobs, options: sms.jobOptions },
    ],
    resealers: [
      ...mailResealers(store, clock),
      ...smsResealers(store, clock),
      ...identityProviderResealers(store, clock),
      ...intentResealers(store, clock),
    ],
    mail,
    sms,
    users: userNeeds,
    passwords: passwordNeeds,
    intents: intentNeeds,
  }
}
