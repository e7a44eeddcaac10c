/** Registers a passkey for the holder of a mailed link. `set-up-administrator.ts` does the same for links of the operator. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import {
  checkRegistrationLink,
  finishRegistration,
  type StartedRegistration,
  startRegistrationByLink,
} from '../../passkeys/index.ts'
import {
  attempt,
  type Client,
  type Done,
  type Failure,
  hideThrottling,
  keyDomain,
  keyFailureOf,
  type Unavailable,
} from '../../sign-in/index.ts'
import type { StartedKey } from './change-own-account.ts'
import { type CodeHolder, type Outcome, outcomeOf, visitorOrigin } from './use-mailed-code.ts'

/** What the browser answered. */
export interface GivenKey {
  readonly userId: string
  readonly keyId: string
  readonly credential: JsonObject
  readonly name: string
}

/** Starts a registration. Does not reveal that a limit was reached. */
export async function startKey(begin: () => Promise<StartedRegistration>): Promise<StartedKey | Failure | Unavailable> {
  try {
    const { passkeyId: keyId, options } = await begin()
    return { outcome: 'asked', keyId, publicKey: (options.publicKey ?? {}) as JsonObject }
  } catch (error) {
    return hideThrottling(keyFailureOf(error))
  }
}

/** Finishes a registration; `also` is done in the same commit. */
export async function finishKey(
  app: App,
  { userId, keyId: passkeyId, credential, name }: GivenKey,
  also?: (work: Work) => Promise<void>,
): Promise<Done> {
  const given = { userId, use: 'passkey', passkeyId, credential, name, nameField: 'name' } as const
  const done = await attempt(() => finishRegistration(app, visitorOrigin(app), given, also))
  return done.outcome === 'throttled' ? { outcome: 'refused' } : done
}

/** Whether a link counts, for the page that it opens. A wrong code is counted, a right one is not used up. */
export async function checkKeyLink(
  app: App,
  { userId, codeId, code }: CodeHolder & { readonly codeId: string },
): Promise<Outcome> {
  try {
    await checkRegistrationLink(app, visitorOrigin(app), userId, { codeId, code })
    return 'done'
  } catch (error) {
    return outcomeOf(error)
  }
}

/** Starts a registration with the code of a link in an email. */
export function startKeyByLink(
  app: App,
  given: CodeHolder & { readonly codeId: string; readonly client: Client },
): Promise<StartedKey | Failure | Unavailable> {
  const { userId, codeId, code, client } = given
  const of = { userId, domain: keyDomain(app, client) }
  return startKey(() => startRegistrationByLink(app, visitorOrigin(app), of, { codeId, code }))
}

/** Completes the registration. */
export function finishKeyByLink(app: App, given: GivenKey): Promise<Done> {
  return finishKey(app, given)
}
