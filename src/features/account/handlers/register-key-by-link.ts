/** Registers a passkey with a code: of a link in an email, or of the one-time setup link. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../../access/app.ts'
import { VISITOR_ACTOR } from '../../../kernel/actor.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { useSetupCode } from '../../instances/index.ts'
import {
  finishRegistration,
  type StartedRegistration,
  startRegistration,
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
import { isLiving, users } from '../../users/index.ts'
import type { StartedKey } from './change-own-account.ts'
import { type CodeHolder, requireSetupLink } from './use-mailed-code.ts'

/** The browser's response. */
interface GivenKey {
  readonly userId: string
  readonly keyId: string
  readonly credential: JsonObject
  readonly name: string
}

function visitorOrigin({ clock }: App): Origin {
  return { actor: VISITOR_ACTOR, at: clock() }
}

async function start(begin: () => Promise<StartedRegistration>): Promise<StartedKey | Failure | Unavailable> {
  try {
    const { passkeyId: keyId, options } = await begin()
    return { outcome: 'asked', keyId, publicKey: (options.publicKey ?? {}) as JsonObject }
  } catch (error) {
    return hideThrottling(keyFailureOf(error))
  }
}

async function finish(
  app: App,
  { userId, keyId: passkeyId, credential, name }: GivenKey,
  also?: (work: Work) => Promise<void>,
): Promise<Done> {
  const given = { userId, use: 'passkey', passkeyId, credential, name, nameField: 'name' } as const
  const done = await attempt(() => finishRegistration(app, visitorOrigin(app), given, also))
  return done.outcome === 'throttled' ? { outcome: 'refused' } : done
}

/** Starts a registration with the code of a link in an email. */
export function startKeyByLink(
  app: App,
  given: CodeHolder & { readonly codeId: string; readonly client: Client },
): Promise<StartedKey | Failure | Unavailable> {
  const { userId, codeId, code, client } = given
  const of = { userId, domain: keyDomain(app, client) }
  return start(() => startRegistrationByLink(app, visitorOrigin(app), of, { codeId, code }))
}

/** Completes the registration. */
export function finishKeyByLink(app: App, given: GivenKey): Promise<Done> {
  return finish(app, given)
}

/** Starts a registration for the first administrator with the one-time setup link. */
export function startKeyBySetUpLink(
  app: App,
  given: CodeHolder & { readonly client: Client },
): Promise<StartedKey | Failure | Unavailable> {
  return start(async () => {
    await requireSetupLink(app, given)
    const { userId, client } = given
    return startRegistration(app, visitorOrigin(app), { userId, use: 'passkey', domain: keyDomain(app, client) })
  })
}

/** Completes it, invalidates the link and returns the username. */
export async function finishKeyBySetUpLink(
  app: App,
  { code, ...given }: GivenKey & CodeHolder,
): Promise<{ readonly outcome: 'done'; readonly userName: string } | Failure> {
  const { userId } = given
  const done = await finish(app, given, (work) => useSetupCode(work, userId, code))
  if (done.outcome !== 'done') return done
  const state = (await app.store.get(users, userId))?.state
  return { outcome: 'done', userName: state !== undefined && isLiving(state) ? state.userName : '' }
}
