/** Registers a passkey in place of a password, with the code of an invitation or of a password reset. */
import type { JsonObject } from '@bufbuild/protobuf'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { acceptInvitation } from '../../humans/index.ts'
import { startRegistration } from '../../passkeys/index.ts'
import { disablePassword, proveByCode } from '../../passwords/index.ts'
import { endSessionsOfUser, sessionRefusals } from '../../sessions/index.ts'
import { settingsOfUser } from '../../settings/index.ts'
import {
  type Client,
  type Failure,
  failureOf,
  hideThrottling,
  keyDomain,
  type Unavailable,
} from '../../sign-in/index.ts'
import { findHuman, type HumanUser, readActiveHuman } from '../../users/index.ts'
import { refuseWrongCode } from '../../verifications/index.ts'
import type { StartedKey } from './change-own-account.ts'
import { finishKey, type GivenKey, startKey } from './register-key-by-link.ts'
import { type CodeHolder, type Outcome, outcomeOf, visitorOrigin } from './use-mailed-code.ts'

/** What a code is for. */
export type CodePurpose = 'invitation' | 'password_reset'

/** Throws unless the code is right and the user active. A wrong one is counted, a right one is not used up. */
async function refuseWrong(app: App, purpose: 'email' | 'invite', { id: userId }: Document<HumanUser>, code: string) {
  const { owner, state } = await readActiveHuman(app.store, userId)
  const what = { userId, owner, purpose, target: state.email.address, code }
  await app.store.write(visitorOrigin(app), (work) => refuseWrongCode(app, work, what))
}

/** Checks the code, which counts a wrong one, and returns the function that uses it up. */
async function prove(
  app: App,
  purpose: CodePurpose,
  user: Document<HumanUser>,
  code: string,
): Promise<(work: Work) => Promise<void>> {
  const origin = visitorOrigin(app)
  if (purpose === 'password_reset') {
    return proveByCode(app, origin, user, code)
  }
  await refuseWrong(app, 'invite', user, code)
  return async (work) => {
    await acceptInvitation(app, work, await readActiveHuman(work, user.id), code)
  }
}

/**
 * Whether a link counts, for the page that it opens: `refused` for a wrong, used or expired code and for users in any
 * state. Guesses are counted like those that are sent with a form.
 */
export async function checkMailedCode(
  app: App,
  purpose: CodePurpose | 'verify_email',
  { userId, code }: CodeHolder,
): Promise<Outcome> {
  try {
    const user = await findHuman(app, userId)
    if (purpose === 'verify_email') await refuseWrong(app, 'email', user, code)
    else await prove(app, purpose, user, code)
    return 'done'
  } catch (error) {
    return outcomeOf(error)
  }
}

async function requirePasskeysAllowed(app: App, { id: userId, owner }: Document<HumanUser>): Promise<void> {
  const { login } = await settingsOfUser(app, { userId, organizationId: owner })
  if (!login.allowsPasskeys) throw refused(sessionRefusals, 'session.passkey_not_allowed')
}

/** An attacker who made the reset necessary must neither stay signed in nor get in with the password they know. */
async function replacePasswordOf(app: App, userId: string): Promise<(work: Work) => Promise<void>> {
  const disable = await disablePassword(app, userId)
  return async (work) => {
    await disable(work)
    await endSessionsOfUser(app, work, userId, 'ended')
  }
}

/** Starts a registration. The code is not used up. */
export function startKeyByCode(
  app: App,
  purpose: CodePurpose,
  { userId, code, client }: CodeHolder & { readonly client: Client },
): Promise<StartedKey | Failure | Unavailable> {
  return startKey(async () => {
    const user = await findHuman(app, userId)
    await prove(app, purpose, user, code)
    await requirePasskeysAllowed(app, user)
    return startRegistration(app, visitorOrigin(app), { userId, use: 'passkey', domain: keyDomain(app, client) })
  })
}

/** Completes the registration and uses up the code, in one commit; returns the user name. */
export async function finishKeyByCode(
  app: App,
  purpose: CodePurpose,
  { code, ...given }: GivenKey & CodeHolder & { readonly credential: JsonObject },
): Promise<{ readonly outcome: 'done'; readonly userName: string } | Failure> {
  try {
    const user = await findHuman(app, given.userId)
    const use = await prove(app, purpose, user, code)
    await requirePasskeysAllowed(app, user)
    const closeOut = purpose === 'password_reset' ? await replacePasswordOf(app, user.id) : () => Promise.resolve()
    const done = await finishKey(app, given, async (work) => {
      await use(work)
      await closeOut(work)
    })
    return done.outcome === 'done' ? { outcome: 'done', userName: user.state.userName } : done
  } catch (error) {
    return hideThrottling(failureOf(error))
  }
}
