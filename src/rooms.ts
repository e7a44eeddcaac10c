/**
 * All rooms on one store, wired to each other: which methods they serve, what they do after a commit, and which kinds
 * they keep. What comes from outside is handed in, so that tests open the same house without a port.
 */
import type { Method } from './access/method.ts'
import { newMachineKeyPair } from './crypto/machine-key.ts'
import { auditMethods } from './features/audit/index.ts'
import { healthMethods } from './features/health/index.ts'
import { sweepLinksOfProvider } from './features/identity-links/index.ts'
import {
  identityProviderJobs,
  identityProviderMethods,
  identityProviderResealers,
  sweepProviders,
} from './features/identity-providers/index.ts'
import { instanceMethods, type Resealer } from './features/instances/index.ts'
import { machineMethods } from './features/machines/index.ts'
import { type MailRoom, mailResealers, openMail, sweepMessageTexts } from './features/mail/index.ts'
import {
  addMemberTo,
  keepAnOwner,
  membershipMethods,
  sweepMemberships,
  sweepUsers,
} from './features/memberships/index.ts'
import { openMessages } from './features/messages/index.ts'
import { oneTimeCodeMethods, oneTimeCodeResealers } from './features/one-time-codes/index.ts'
import { type OrganizationsNeeds, organizationJobs, organizationMethods } from './features/organizations/index.ts'
import { passkeyMethods } from './features/passkeys/index.ts'
import { passwordMethods } from './features/passwords/index.ts'
import { sessionMethods } from './features/sessions/index.ts'
import { effectiveSettings, forgetProvider, settingsMethods, sweepSettings } from './features/settings/index.ts'
import { intentMethods, intentResealers } from './features/sign-in-intents/index.ts'
import { openSms, type SmsRoom, smsResealers } from './features/sms/index.ts'
import { addHuman, draftOfHuman, fieldsOfHuman, prepareHuman, userMethods } from './features/users/index.ts'
import type { Clock } from './kernel/instant.ts'
import { eventTypes, kinds } from './kinds.ts'
import type { Outside } from './rooms/outside.ts'
import { openPeople, type People } from './rooms/people.ts'
import { openSigningIn, type SigningIn } from './rooms/signing-in.ts'
import type { JobHandlers, JobOptions, Store } from './store/index.ts'

export type { Outside } from './rooms/outside.ts'
export { eventTypes, kinds }

/** A group of jobs with pauses of its own. */
export interface JobGroup {
  readonly handlers: JobHandlers
  readonly options: Partial<JobOptions>
}

export interface Rooms extends People, SigningIn {
  /** Every method of the contract with the room that serves it. */
  readonly methods: readonly Method[]
  readonly jobs: readonly JobGroup[]
  readonly mail: MailRoom
  readonly sms: SmsRoom
}

/** Everything that seals something, for when a key is replaced. */
export function resealersOf(store: Store, clock: Clock): readonly Resealer[] {
  return [mailResealers, smsResealers, oneTimeCodeResealers, identityProviderResealers, intentResealers].flatMap((of) =>
    of(store, clock),
  )
}

/** Opens the rooms of one process. */
export function openRooms(outside: Outside): Rooms {
  const { store, vault, newId, clock, instanceId, version, externalUrl, findToken } = outside
  const memberNeeds = { store, instanceId }
  const defaultLanguage = async (organizationId: string): Promise<string> =>
    (await effectiveSettings(store, organizationId, instanceId)).defaultLanguage

  const { post, allowsPrivate, send, longestWaitMilliseconds } = outside
  const mail = openMail({ store, vault, newId, instanceId, clock, send, defaultLanguage, longestWaitMilliseconds })
  const sms = openSms({ store, vault, newId, instanceId, clock, post, allowsPrivate, defaultLanguage })
  const { enqueueMail } = mail
  const { enqueueSms } = sms
  const people = openPeople(outside, openMessages({ store, externalUrl, enqueueMail, enqueueSms }))
  const signingIn = openSigningIn(outside, people)
  const { users, passwords, passkeys, oneTimeCodes } = people
  const { intents, sessions } = signingIn

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
      const prepared = await prepareHuman(users, organizationId, draftOfHuman(request, fields), fields)
      return async (work) => {
        const { user, emailCode, phoneCode } = await addHuman(users, work, prepared)
        return { userId: user.id, emailCode, phoneCode }
      }
    },
    beforeClosing: [keepAnOwner(store, instanceId)],
  }

  const sweeps = [
    sweepMemberships(store),
    sweepUsers(store, users.whenRemoved),
    sweepMessageTexts(store),
    sweepSettings(store),
    sweepProviders(store),
  ]

  return {
    ...people,
    ...signingIn,
    methods: [
      ...instanceMethods({ store, instanceId, version, externalUrl }),
      ...organizationMethods(organizationNeeds),
      ...settingsMethods({ store, instanceId }),
      ...userMethods(users),
      ...passwordMethods(passwords),
      ...passkeyMethods(passkeys),
      ...oneTimeCodeMethods(oneTimeCodes),
      ...sessionMethods(sessions),
      ...machineMethods({ store, newId, newKeyPair: newMachineKeyPair }),
      ...membershipMethods(memberNeeds),
      ...identityProviderMethods({ store, vault, newId, instanceId }),
      ...intentMethods(intents),
      ...mail.methods,
      ...sms.methods,
      ...auditMethods({ store, kinds, eventTypes }),
      ...healthMethods(outside),
    ],
    jobs: [
      { handlers: organizationJobs(sweeps, clock), options: {} },
      { handlers: identityProviderJobs([sweepLinksOfProvider(store), forgetProvider(store)], clock), options: {} },
      { handlers: mail.jobs, options: mail.jobOptions },
      { handlers: sms.jobs, options: sms.jobOptions },
    ],
    mail,
    sms,
  }
}
