/** One's own account on the pages, made of what the rooms offer. Whoever asks has signed in: they stand on what is written. */
import type { JsonObject } from '@bufbuild/protobuf'
import { removeIdentityLink } from '../features/identity-links/index.ts'
import {
  codesLeft,
  generateRecoveryCodes,
  type OneTimeCodesCommand,
  type OneTimeCodesNeeds,
  oneTimeCodes,
  oneTimeCodesOf,
  readActiveHuman,
  registerTotp,
  requireTarget,
  verifiedTarget,
  verifyTotp,
} from '../features/one-time-codes/index.ts'
import {
  finishRegistration,
  type KnownKey,
  keysOf,
  type PasskeysNeeds,
  removeKey,
  renameKey,
  startRegistration,
  userHandleOf,
} from '../features/passkeys/index.ts'
import { choosePassword, type PasswordsNeeds, passwordFacts } from '../features/passwords/index.ts'
import { endSession, findSessions, livingAt, type SessionsNeeds, sessions } from '../features/sessions/index.ts'
import { type HumanUser, users } from '../features/users/index.ts'
import type { Clock } from '../kernel/instant.ts'
import type { Origin, Work } from '../store/index.ts'
import { waysIn } from './account-parts.ts'
import type { AcceptedKeys, AccountPort } from './account-ports.ts'
import { failureOf, keyFailureOf } from './failures.ts'
import { openProviders } from './open-providers.ts'
import { domainFor } from './open-sign-in.ts'
import type { Failure, Person } from './sign-in-ports.ts'

export interface AccountNeeds {
  readonly sessions: SessionsNeeds
  readonly passkeys: PasskeysNeeds
  readonly oneTimeCodes: OneTimeCodesNeeds
  readonly passwords: PasswordsNeeds
}

/** Sessions that are shown; the newest. */
const MOST_SESSIONS = 100
const RECOVERY_CODES = 10

/** The passkeys of a person by domain, as password managers want to hear of them. */
function acceptedOf(userId: string, keys: readonly KnownKey[]): readonly AcceptedKeys[] {
  const passkeys = keys.filter(({ use }) => use === 'passkey')
  return [...new Set(passkeys.map(({ rpId }) => rpId))].map((rpId) => ({
    rpId,
    userId: userHandleOf(userId),
    accepted: passkeys.filter((key) => key.rpId === rpId).map(({ credentialId }) => credentialId),
  }))
}

export function openAccount(needs: AccountNeeds, clock: Clock): AccountPort {
  const { store } = needs.sessions
  const { linksOf, linkable, isUsable } = openProviders(needs)
  const originOf = ({ userId }: Person): Origin => ({ actor: userId, at: clock() })

  const attempt = async (act: () => Promise<unknown>): Promise<{ readonly outcome: 'done' } | Failure> => {
    try {
      await act()
      return { outcome: 'done' }
    } catch (error) {
      return failureOf(error)
    }
  }

  const write = (person: Person, build: (work: Work) => Promise<unknown>) =>
    attempt(() => store.write(originOf(person), build))

  const decideCodes = (person: Person, command: OneTimeCodesCommand) =>
    write(person, (work) => work.decide(oneTimeCodes, person.userId, command))

  const ownSessions = async ({ userId }: Person) => {
    const where = { all: [{ field: 'userId', equals: userId }, livingAt(clock())] } as const
    const query = { where, orderBy: 'createdAt', descending: true, limit: MOST_SESSIONS } as const
    return (await findSessions(store, query)).documents
  }

  /** With which accounts elsewhere the person signs in. */
  const readLinks = async (person: Person) => {
    const links = (await linksOf(person)).map(
      async ({ idpId, externalUserId, externalUserName, provider, createdAt }) => ({
        idpId,
        externalUserId,
        providerName: provider?.state.name,
        accountName: externalUserName,
        isUsable: provider !== undefined && (await isUsable(provider, person.organizationId)),
        addedAt: createdAt,
      }),
    )
    return Promise.all(links)
  }

  return {
    async read(person) {
      const { userId, sessionId } = person
      const [user, own, keys, codes, facts, links, offered] = await Promise.all([
        store.get(users, userId),
        ownSessions(person),
        keysOf(store, userId),
        oneTimeCodesOf(store, userId),
        passwordFacts(store, [userId]),
        readLinks(person),
        linkable(person),
      ])
      const human = user?.state as HumanUser
      const medium = (name: 'email' | 'sms') => ({
        isOn: codes.otp[name]?.isOn ?? false,
        target: verifiedTarget(human, name),
      })
      return {
        email: human.email.address,
        sessions: own.map(({ id, state, createdAt }) => ({
          id,
          description: state.userAgent?.description ?? '',
          since: createdAt,
          expiresAt: state.endsAt,
          isThis: id === sessionId,
        })),
        keys: keys.map(({ id, use, name, createdAt }) => ({ id, use, name, addedAt: createdAt })),
        hasTotp: codes.totp?.status === 'ready',
        otp: { email: medium('email'), sms: medium('sms') },
        recoveryCodesLeft: codes.recovery === undefined ? 0 : codesLeft(codes.recovery),
        hasPassword: facts.has(userId),
        links,
        linkable: offered,
        acceptedKeys: acceptedOf(userId, keys),
      }
    },

    endSessions: (person, sessionId) =>
      attempt(async () => {
        const own = await ownSessions(person)
        const ends = own.filter(({ id }) => (sessionId === undefined ? id !== person.sessionId : id === sessionId))
        await store.write(originOf(person), async (work) => {
          for (const { id } of ends) {
            // Somebody may have ended it since it was found.
            const session = await work.get(sessions, id)
            if (session?.state.status === 'open') await endSession(work, id)
          }
        })
      }),

    async startKey(person, use, client) {
      try {
        const of = { userId: person.userId, use, domain: domainFor(needs, client) }
        const { passkeyId: keyId, options } = await startRegistration(needs.passkeys, originOf(person), of)
        return { outcome: 'asked', keyId, publicKey: (options.publicKey ?? {}) as JsonObject }
      } catch (error) {
        return keyFailureOf(error)
      }
    },
    finishKey: (person, { use, keyId: passkeyId, credential, name }) =>
      attempt(() => {
        const given = { userId: person.userId, use, passkeyId, credential, name, nameField: 'name' }
        return finishRegistration(needs.passkeys, originOf(person), given)
      }),
    renameKey: (person, { use, keyId: passkeyId, name }) =>
      attempt(async () => renameKey(store, originOf(person), { userId: person.userId, use, passkeyId }, name, 'name')),
    async removeKey(person, { use, keyId: passkeyId }) {
      const { userId } = person
      const gone = (await keysOf(store, userId, use)).find(({ id }) => id === passkeyId)
      const removed = await attempt(() => removeKey(store, originOf(person), { userId, use, passkeyId }))
      if (removed.outcome !== 'done' || gone === undefined || use !== 'passkey') return removed
      const { rpId, credentialId } = gone
      const left = acceptedOf(userId, await keysOf(store, userId)).find((one) => one.rpId === rpId)
      const accepted = left?.accepted ?? []
      return { outcome: 'done', signal: { rpId, userId: userHandleOf(userId), accepted, removed: credentialId } }
    },

    async removeLink(person, { idpId, externalUserId }) {
      const { userId, organizationId } = person
      const [links, keys, facts] = await Promise.all([
        readLinks(person),
        keysOf(store, userId),
        passwordFacts(store, [userId]),
      ])
      const left = links.filter((link) => link.idpId !== idpId || link.externalUserId !== externalUserId)
      if (waysIn({ keys, links: left, hasPassword: facts.has(userId) }) === 0) return { outcome: 'refused' }
      const link = { userId, idpId, externalUserId }
      return write(person, (work) => removeIdentityLink(work, link, organizationId))
    },

    async startTotp(person) {
      try {
        const { value } = await store.write(originOf(person), (work) =>
          registerTotp(needs.oneTimeCodes, work, person.userId),
        )
        return { outcome: 'done', uri: value.uri, secret: value.secret }
      } catch (error) {
        return failureOf(error)
      }
    },
    finishTotp: (person, code) => {
      const { userId, organizationId: owner } = person
      return write(person, (work) => verifyTotp(needs.oneTimeCodes, work, { userId, owner, code }))
    },
    removeTotp: (person) => decideCodes(person, { type: 'remove_totp' }),
    setOtp: (person, medium, isOn) =>
      isOn
        ? write(person, async (work) => {
            const { owner, state } = await readActiveHuman(work, person.userId)
            requireTarget(state, medium)
            await work.decide(oneTimeCodes, person.userId, { type: 'add_otp', medium }, owner)
          })
        : decideCodes(person, { type: 'remove_otp', medium }),
    async makeRecoveryCodes(person) {
      try {
        const { value } = await store.write(originOf(person), (work) =>
          generateRecoveryCodes(needs.oneTimeCodes, work, person.userId, RECOVERY_CODES),
        )
        return { outcome: 'done', codes: value.codes }
      } catch (error) {
        return failureOf(error)
      }
    },

    async changePassword(person, { current, password }) {
      const { userId } = person
      const origin = originOf(person)
      let wait: Failure | undefined
      const chosen = await choosePassword(needs.passwords, origin, { userId, password }, async ({ owner }) => {
        if (!(await passwordFacts(store, [userId])).has(userId)) return async () => {}
        try {
          return await needs.passwords.checks.check({ userId, owner, password: current, origin })
        } catch (error) {
          const failure = failureOf(error)
          if (failure.outcome === 'throttled') wait = failure
          throw error
        }
      })
      return wait ?? chosen
    },
  }
}
