/** Registering passkeys with a code, made of what the rooms offer: with a mailed link, and with that of the first start. */
import type { JsonObject } from '@bufbuild/protobuf'
import { formatSetupLink, instanceRefusals, isSetupLinkOpen, useSetupCode } from '../features/instances/index.ts'
import {
  finishRegistration,
  type PasskeysNeeds,
  type StartedRegistration,
  startRegistration,
  startRegistrationByLink,
} from '../features/passkeys/index.ts'
import { isLiving, users } from '../features/users/index.ts'
import type { Clock } from '../kernel/instant.ts'
import { refused } from '../kernel/refusal.ts'
import type { Origin } from '../store/index.ts'
import type { KeyLinkPort } from './account-ports.ts'
import { failureOf, strangersFailureOf } from './failures.ts'
import { domainFor } from './open-sign-in.ts'

/** Who stands on the events that a page brings about: nobody has signed in there. */
const VISITOR = 'visitor'

export function openKeyLinks(passkeys: PasskeysNeeds, externalUrl: string, clock: Clock): KeyLinkPort {
  const { store } = passkeys
  const origin = (): Origin => ({ actor: VISITOR, at: clock() })

  const ask = async (start: () => Promise<StartedRegistration>) => {
    try {
      const { passkeyId: keyId, options } = await start()
      return { outcome: 'asked', keyId, publicKey: (options.publicKey ?? {}) as JsonObject } as const
    } catch (error) {
      return strangersFailureOf(error)
    }
  }

  const answerOf = (given: {
    readonly userId: string
    readonly keyId: string
    readonly credential: JsonObject
    readonly name: string
  }) => {
    const { userId, keyId: passkeyId, credential, name } = given
    return { userId, use: 'passkey', passkeyId, credential, name, nameField: 'name' } as const
  }

  const failed = (error: unknown) => {
    const failure = failureOf(error)
    return failure.outcome === 'throttled' ? ({ outcome: 'refused' } as const) : failure
  }

  return {
    startByLink: ({ userId, codeId, code, client }) =>
      ask(() => {
        const of = { userId, domain: domainFor({ passkeys }, client) }
        return startRegistrationByLink(passkeys, origin(), of, { codeId, code })
      }),
    async finishByLink(given) {
      try {
        await finishRegistration(passkeys, origin(), answerOf(given))
        return { outcome: 'done' }
      } catch (error) {
        return failed(error)
      }
    },

    startBySetUp: ({ userId, code, client }) =>
      ask(async () => {
        if (!(await isSetupLinkOpen(store, formatSetupLink(externalUrl, userId, code)))) {
          throw refused(instanceRefusals, 'instance.setup_code_invalid')
        }
        return startRegistration(passkeys, origin(), {
          userId,
          use: 'passkey',
          domain: domainFor({ passkeys }, client),
        })
      }),
    async finishBySetUp({ code, ...given }) {
      const { userId } = given
      try {
        await finishRegistration(passkeys, origin(), answerOf(given), (work) => useSetupCode(work, userId, code))
        const state = (await store.get(users, userId))?.state
        return { outcome: 'done', userName: state !== undefined && isLiving(state) ? state.userName : '' }
      } catch (error) {
        return failed(error)
      }
    },
  }
}
