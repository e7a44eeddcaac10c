/**
 * Single logout. Our session ends first, whatever the others do; then the browser goes to one service provider after the
 * other. They are told in the browser that shows the token of the session, and in no other: the requests say who the user
 * is at each of them.
 */
import { randomBytes } from 'node:crypto'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { SAML_PATHS } from '../../../kernel/page-paths.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import { endSessionIfOpen, sessionIdOfToken, userOfSession } from '../../sessions/index.ts'
import { isComplete, nextTurn, type StartedLogout, type TakenStep } from './decider.ts'
import { samlLogouts } from './documents.ts'
import type { LogoutAsked, LogoutSecret } from './events.ts'
import { isSignedInTo, participantsOf, sessionsNamed } from './participants.ts'

/** As long as all service providers together may take. */
const LIFETIME_MS = 600_000

export type Logout = Document<StartedLogout>

async function originFor(app: App, sessionId: string | undefined): Promise<Origin> {
  const userId = sessionId === undefined ? undefined : await userOfSession(app.store, sessionId)
  return { actor: userId === undefined ? 'anonymous' : { user: userId }, at: app.clock() }
}

async function end(app: App, sessionId: string): Promise<void> {
  try {
    await app.store.write(await originFor(app, sessionId), (work) => endSessionIfOpen(app, work, sessionId))
  } catch (error) {
    // It was ended meanwhile.
    if (!(error instanceof Refused)) throw error
  }
}

/** Where the browser continues with a logout. Nobody can guess the ID. */
async function start(
  app: App,
  told: Pick<StartedLogout, 'sessionIds' | 'secret'> & { readonly asked?: LogoutAsked },
): Promise<string> {
  const id = randomBytes(20).toString('hex')
  const origin = await originFor(app, told.sessionIds[0])
  const command = { type: 'start', ...told, expiresAt: instant(origin.at + LIFETIME_MS) } as const
  await app.store.write(origin, (work) => work.begin(samlLogouts, id, command, app.instanceId))
  return `${SAML_PATHS.goOnWithLogout}${id}`
}

/** Ends the sessions that a service provider names. Returns where the browser continues. */
export async function logOutFor(
  app: App,
  { relayState, ...asked }: Omit<LogoutAsked, 'isAboutBrowser'> & Pick<LogoutSecret, 'relayState'>,
  indexes: readonly string[],
): Promise<string> {
  const sessionIds = await sessionsNamed(app, asked.applicationId, indexes)
  for (const id of sessionIds) await end(app, id)
  const secret = relayState === undefined ? {} : { relayState }
  const whole = { ...asked, ...(indexes.length === 0 && { isAboutBrowser: true as const }) }
  return start(app, { sessionIds, asked: whole, secret })
}

/**
 * Where a browser goes after its session has ended here: by the service providers that must learn of it, to the target;
 * undefined: there are none, and it goes there directly. The browser keeps the token of the session until then.
 */
export async function tellServiceProviders(app: App, sessionId: string, target: string): Promise<string | undefined> {
  const { steps, leavesOut } = await participantsOf(app, sessionId)
  return steps.length === 0 && !leavesOut ? undefined : start(app, { sessionIds: [sessionId], secret: { target } })
}

/** A logout that continues; undefined when there is none, or when it has ended. */
export async function findLogout(app: App, id: string): Promise<Logout | undefined> {
  const found = /^[0-9a-f]{40}$/.test(id) ? await app.store.get(samlLogouts, id) : undefined
  if (found === undefined || found.state.status === 'unknown' || found.state.status === 'finished') return undefined
  return found.state.expiresAt > app.clock() ? (found as Logout) : undefined
}

async function planFor(app: App, { state }: Logout, shown: string | undefined) {
  const { asked } = state
  const isMeant = asked?.isAboutBrowser === true && shown !== undefined
  const hasJoined = isMeant && (await isSignedInTo(app, asked.applicationId, shown))
  if (hasJoined) await end(app, shown)
  const sessionIds = hasJoined ? [...new Set([...state.sessionIds, shown])] : state.sessionIds
  const plans = await Promise.all(
    sessionIds.map(async (id) => ({ id, ...(await participantsOf(app, id, asked?.applicationId)) })),
  )
  const own = plans.find(({ id }) => id === shown)
  const leavesOut = plans.some((one) => one.leavesOut || (one !== own && one.steps.length > 0))
  return { sessionIds, steps: own?.steps ?? [], leavesOut }
}

async function planned(app: App, logout: Logout, shown: string | undefined, at: Instant): Promise<Logout> {
  if (logout.state.status !== 'started') return logout
  const plan = await planFor(app, logout, shown)
  const origin = { ...(await originFor(app, shown)), at }
  const { value } = await app.store.write(origin, (work) =>
    work.decide(samlLogouts, logout.id, { type: 'plan', ...plan, at }),
  )
  return value as Logout
}

/** What a browser does next. */
export type NextOfLogout =
  | { readonly type: 'tell'; readonly step: TakenStep; readonly requestId: string }
  | {
      readonly type: 'finish'
      readonly asked: LogoutAsked | undefined
      /** Where the browser goes, and what the service provider gets back. */
      readonly secret: LogoutSecret
      /** Whether all service providers said that they logged the user out. */
      readonly isComplete: boolean
      /** Whether the browser was elsewhere meanwhile. */
      readonly hasSteps: boolean
      /** Whether it was the session of this browser. */
      readonly isOwn: boolean
    }

/**
 * Takes the next step of a logout. Each service provider is asked once: a browser that comes here without its answer continues
 * to the next one. `token` is what the browser keeps of its session. Throws when it took the step twice at once.
 */
export async function takeStep(app: App, logout: Logout, token: string | undefined): Promise<NextOfLogout> {
  const at = app.clock()
  const shown = token === undefined ? undefined : await sessionIdOfToken(app, token)
  const { id, state } = await planned(app, logout, shown, at)
  const origin = { ...(await originFor(app, shown)), at }
  const isOwn = shown !== undefined && state.sessionIds.includes(shown)
  const turn = isOwn ? nextTurn(state) : undefined
  const step = turn === undefined ? undefined : state.steps[turn]
  if (turn !== undefined && step !== undefined) {
    const requestId = `_${id}.${randomBytes(10).toString('hex')}`
    await app.store.write(origin, (work) => work.decide(samlLogouts, id, { type: 'ask', turn, requestId, at }))
    return { type: 'tell', step, requestId }
  }
  const { value } = await app.store.write(origin, (work) => work.decide(samlLogouts, id, { type: 'finish', at }))
  const finished = value.state as StartedLogout
  const { asked, secret, steps } = finished
  return { type: 'finish', asked, secret, isComplete: isComplete(finished), hasSteps: steps.length > 0, isOwn }
}

/** The logout that a request with this ID belongs to, and the service provider that it went to. */
export async function askedLogout(app: App, requestId: string) {
  const [, id = ''] = /^_([0-9a-f]{40})\.[0-9a-f]{20}$/.exec(requestId) ?? []
  const logout = await findLogout(app, id)
  const step = logout?.state.steps.find((one) => one.requestId === requestId)
  if (logout === undefined || step === undefined) return undefined
  return { goesOnAt: `${SAML_PATHS.goOnWithLogout}${id}`, applicationId: step.applicationId, id }
}

/** Notes what a service provider answered; throws when it answered before. */
export async function noteAnswer(app: App, id: string, requestId: string, isSuccess: boolean): Promise<void> {
  const at = app.clock()
  await app.store.write({ actor: 'anonymous', at }, (work) =>
    work.decide(samlLogouts, id, { type: 'answer', requestId, isSuccess, at }),
  )
}
