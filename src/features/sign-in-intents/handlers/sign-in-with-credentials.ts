/**
 * Sign-ins with a name and password of an account in an LDAP directory: at once for the API, and on our own page for a
 * browser that was sent there. The password goes to the directory and nowhere else.
 */

import { hashSecret, matchesHash, newSecret } from '../../../crypto/tokens.ts'
import { foldText } from '../../../kernel/fold-text.ts'
import { instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import { openAttempts } from '../../../kernel/share.ts'
import { type App, perApp, type Whereabouts } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import { findProvider, type OpenedProvider, openProvider } from '../../identity-providers/index.ts'
import { verificationRefusals } from '../../verifications/index.ts'
import type { Intent } from '../decider.ts'
import { intents } from '../documents.ts'
import { checkDirectory } from '../ldap/directory.ts'
import { providerProblem } from '../provider-rules.ts'
import { intentRefusals } from '../refusals.ts'
import type { ProviderAnswer } from '../relying-party.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { takeStart } from '../unfinished.ts'
import { type Finished, findByState, redirectAfter } from './finish-intent.ts'
import { INTENT_MILLISECONDS, type NewIntent } from './start-intent.ts'
import { type SucceededSignIn, succeed } from './succeed-intent.ts'

/** What was typed. */
export interface Credentials {
  readonly userName: string
  readonly password: string
}

/**
 * Wrong passwords for one entry of a directory, whatever name it was found by: the directory has limits of its own, so this
 * only slows guessing down.
 */
const WRONG_PASSWORDS = { limit: 10, windowMs: 15 * 60_000 }

const attemptsOf = perApp(({ clock }) => openAttempts({ now: clock, ...WRONG_PASSWORDS }))

/** The account whose name and password these are. Throws `SignInFailed`, or when there were too many wrong ones. */
async function checkCredentials(
  app: App,
  provider: OpenedProvider,
  { userName, password }: Credentials,
): Promise<ProviderAnswer> {
  const { ldap: connection, clientSecret: bindPassword } = provider
  if (connection === undefined) throw refused(intentRefusals, 'intent.credentials_needed')
  const attempts = attemptsOf(app)
  /** Entries that were tried; several servers can have the same one. */
  const tried = new Set<string>()
  const giveBack = () => {
    for (const key of tried) attempts.giveBack(provider.owner, key)
  }
  const beforeBind = (entryName: string) => {
    const key = `${provider.id} ${foldText(entryName)}`
    if (tried.has(key)) return
    if (!attempts.take(provider.owner, key)) {
      throw refused(verificationRefusals, 'attempts.too_many', {
        retryAfterSeconds: Math.ceil(WRONG_PASSWORDS.windowMs / 1000),
      })
    }
    tried.add(key)
  }
  try {
    const check = { connection, bindPassword, userName, password, beforeBind }
    const { attributes: ldap, ...account } = await checkDirectory(app, check)
    giveBack()
    return { ...account, ldap, accessToken: '' }
  } catch (error) {
    // An outage is no guess.
    if (!(error instanceof SignInFailed) || error.reason !== 'credentials_wrong') giveBack()
    throw error
  }
}

/** Tells those who want to know about failed sign-ins. */
function reportFailure(
  app: App,
  origin: Origin,
  reason: string,
  whose: { readonly organizationId: string; readonly providerId: string; readonly from?: Whereabouts | undefined },
) {
  return app.lifecycle.whenSignInRefused(app, { origin, check: 'intent', code: `intent.${reason}`, ...whose })
}

/** Checks a name and password for a client. The intent has succeeded when this returns, and failed when it throws. */
export async function signInWithCredentials(
  app: App,
  origin: Origin,
  { by, idpId, organizationId, ...typed }: Credentials & Pick<NewIntent, 'by' | 'idpId' | 'organizationId'>,
): Promise<SucceededSignIn> {
  const provider = await openProvider(app, idpId, app.clock())
  if (provider === undefined) throw refused(intentRefusals, 'intent.provider_not_found')
  const id = app.newId()
  takeStart(app, by, id)
  const { owner } = provider
  const giveUp = (reason: SignInFailed['reason']) =>
    app.store.write(origin, (work) => work.decide(intents, id, { type: 'give_up', idpId, reason }, owner))
  const problem = await providerProblem(app, provider)
  if (problem !== undefined) {
    await giveUp(problem)
    throw refused(intentRefusals, `intent.${problem}`)
  }
  const home = owner === app.instanceId ? organizationId : owner
  try {
    const answer = await checkCredentials(app, provider, typed)
    const at = app.clock()
    return await succeed(
      app,
      { ...origin, at },
      {
        id,
        organizationId: home,
        provider,
        answer,
        async begin(work) {
          // Nobody is sent anywhere, so the state is one that nobody knows.
          const secret = { state: hashSecret(Buffer.from(newSecret()).toString('base64url')), handshake: '' }
          const expiresAt = instant(at + INTENT_MILLISECONDS)
          const started = { idpId, organizationId: home, successUrl: '', failureUrl: '', expiresAt, secret }
          await work.decide(intents, id, { type: 'start', ...started }, owner)
          await work.decide(intents, id, { type: 'answer', at, isSameBrowser: true })
        },
      },
    )
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    await giveUp(error.reason)
    await reportFailure(app, origin, error.reason, { organizationId: home, providerId: idpId })
    throw refused(
      intentRefusals,
      error.reason === 'credentials_wrong' ? 'intent.credentials_wrong' : 'intent.provider_failed',
    )
  }
}

/** A browser that was sent to our page for the credentials. */
export interface DirectoryVisit {
  readonly state: string | null
  /** The value in the cookie of the hosted pages; undefined when there is none. */
  readonly browser: string | undefined
  /** Where it comes from, for the record of a failed sign-in. */
  readonly from?: Whereabouts
}

type StartedState = Extract<Intent, { status: 'started' }>

/** The sign-in of a browser, while it waits for the credentials. */
async function waitingIntent(
  app: App,
  { state, browser }: DirectoryVisit,
): Promise<Document<StartedState> | undefined> {
  const found = await findByState(app, state)
  if (found?.state.status !== 'started' || app.clock() >= found.state.expiresAt) return undefined
  const bound = found.state.secret.browser
  const isSameBrowser = bound === undefined || (browser !== undefined && matchesHash(browser, bound))
  return isSameBrowser ? { ...found, state: found.state } : undefined
}

/** The name of the directory that a browser is to sign in with; undefined when no such sign-in waits. */
export async function waitingDirectory(app: App, visit: DirectoryVisit): Promise<string | undefined> {
  const waiting = await waitingIntent(app, visit)
  const provider = waiting && (await findProvider(app, waiting.state.idpId))
  return provider?.state.connection.protocol === 'ldap' ? provider.state.name : undefined
}

/** What became of the credentials of a browser; after wrong ones it can try again. */
export type Answered = Finished | { readonly type: 'wrong' | 'unavailable' }

/** Completes the sign-in of a browser with what was typed. Throws when there were too many wrong passwords. */
export async function answerWithCredentials(app: App, visit: DirectoryVisit, typed: Credentials): Promise<Answered> {
  const waiting = await waitingIntent(app, visit)
  const provider = waiting && (await openProvider(app, waiting.state.idpId, app.clock()))
  if (waiting === undefined || provider?.ldap === undefined) return { type: 'unknown' }
  if ((await providerProblem(app, provider)) !== undefined) return { type: 'unknown' }
  const { id, state } = waiting
  const { organizationId, visitedId } = state
  try {
    const answer = await checkCredentials(app, provider, typed)
    const origin: Origin = { actor: 'visitor', at: app.clock() }
    const begin = (work: Parameters<NonNullable<Parameters<typeof succeed>[2]['begin']>>[0]) =>
      work.decide(intents, id, { type: 'answer', at: origin.at, isSameBrowser: true })
    return await redirectAfter(state, succeed(app, origin, { id, organizationId, visitedId, provider, answer, begin }))
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    const origin: Origin = { actor: 'visitor', at: app.clock() }
    await reportFailure(app, origin, error.reason, { organizationId, providerId: provider.id, from: visit.from })
    return { type: error.reason === 'credentials_wrong' ? 'wrong' : 'unavailable' }
  }
}
