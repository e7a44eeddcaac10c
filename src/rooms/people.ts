/** The rooms that know people, wired to each other: who they are, how they prove it, and what goes with them. */
import type { Call } from '../access/call.ts'
import { covers } from '../access/roles.ts'
import { hasIdentityLink, removeIdentityLinksOf } from '../features/identity-links/index.ts'
import { findProviderOf } from '../features/identity-providers/index.ts'
import { removeCredentials } from '../features/machines/index.ts'
import { grantsOf, keepAnOwnerBeside, removeMembershipsOf } from '../features/memberships/index.ts'
import type { OpenMessages } from '../features/messages/index.ts'
import { removeMetadataOf } from '../features/metadata/index.ts'
import {
  findOneTimeMethods,
  type OneTimeCodesNeeds,
  removeOneTimeCodesOf,
  removeOtpSmsOf,
  totpPort,
} from '../features/one-time-codes/index.ts'
import {
  findPasskeyMethods,
  keysOf,
  type PasskeysNeeds,
  relyingPartyAt,
  removePasskeysOf,
} from '../features/passkeys/index.ts'
import {
  findPasswordMethod,
  openPasswordChecks,
  type PasswordsNeeds,
  passwordPort,
  removePassword,
} from '../features/passwords/index.ts'
import { endSessionsOf } from '../features/sessions/index.ts'
import { type UsersNeeds, userRefusals } from '../features/users/index.ts'
import { removeVerifications } from '../features/verifications/index.ts'
import { refused } from '../kernel/refusal.ts'
import type { Store } from '../store/index.ts'
import type { Outside } from './outside.ts'

export interface People {
  readonly users: UsersNeeds
  readonly passwords: PasswordsNeeds
  readonly passkeys: PasskeysNeeds
  readonly oneTimeCodes: OneTimeCodesNeeds
}

/** Whether the caller holds all that a user holds: who controls somebody's address, or has their key, can become them. */
function isCovered(store: Store) {
  return async ({ caller }: Call, userId: string): Promise<boolean> =>
    caller.userId === userId || covers(caller.grants, await grantsOf(store, userId))
}

/** Throws unless the caller holds all that a user holds. */
function checkCovered(store: Store) {
  return async (call: Call, userId: string): Promise<void> => {
    if (!(await isCovered(store)(call, userId))) throw refused(userRefusals, 'user.above_own')
  }
}

/** Opens the rooms that know people. */
export function openPeople(outside: Outside, messages: OpenMessages): People {
  const { store, vault, newId, instanceId, externalUrl, library } = outside
  const codes = { vault, instanceId }

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

  /** What follows when a user is removed, wherever the removal comes from. */
  const whenRemoved = [
    removeCredentials(store),
    removeMembershipsOf({ store, instanceId }),
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
    findIdentityProvider: async (work, idpId, organizationId) =>
      (await findProviderOf(work, idpId, [organizationId, instanceId])) !== undefined,
  }

  return { users: userNeeds, passwords: passwordNeeds, passkeys: passkeyNeeds, oneTimeCodes: oneTimeCodeNeeds }
}
