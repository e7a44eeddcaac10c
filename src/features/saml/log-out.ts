/** Ends the sessions that a service provider names. The index of a session is the ID of the grant that its assertion opened. */
import { Refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Origin } from '../../store/index.ts'
import { applications } from '../applications/index.ts'
import { grants, type OpenGrant } from '../grants/index.ts'
import { endSessionIfOpen } from '../sessions/index.ts'

const MOST_INDEXES = 50

async function subjectOf(app: App, grantId: string): Promise<OpenGrant['subject'] | undefined> {
  const state = (await app.store.get(grants, grantId))?.state
  return state?.status === 'open' ? state.subject : undefined
}

async function grantsOfSession(app: App, sessionId: string): Promise<readonly OpenGrant['subject'][]> {
  const where = { field: 'sessionId', equals: sessionId } as const
  const { documents } = await app.store.find(grants, { where, orderBy: 'id', limit: 500 })
  return documents.flatMap(({ state }) => (state.status === 'open' ? [state.subject] : []))
}

/** The sessions of a service provider: by their indexes, or the one of the browser if it signed in there. */
async function sessionsNamed(
  app: App,
  applicationId: string,
  indexes: readonly string[],
  browserSessionId: string | undefined,
): Promise<ReadonlySet<string>> {
  if (indexes.length > 0) {
    const subjects = await Promise.all(indexes.slice(0, MOST_INDEXES).map((index) => subjectOf(app, index)))
    // A service provider ends only what it got itself.
    return new Set(subjects.flatMap((one) => (one?.applicationId === applicationId ? [one.sessionId] : [])))
  }
  const own = browserSessionId === undefined ? [] : await grantsOfSession(app, browserSessionId)
  return new Set(own.filter((one) => one.applicationId === applicationId).map(({ sessionId }) => sessionId))
}

async function isServiceProvider(app: App, applicationId: string): Promise<boolean> {
  const state = (await app.store.get(applications, applicationId))?.state
  return state !== undefined && 'config' in state && state.config.type === 'saml'
}

export interface LoggedOut {
  readonly sessionIds: ReadonlySet<string>
  /** Whether other service providers took part in the sessions. They are not told: they have no back channel. */
  readonly hasOthers: boolean
}

/** Ends the sessions, as the hosted page does it: applications with a back channel are told. */
export async function logOutFrom(
  app: App,
  origin: Origin,
  {
    applicationId,
    indexes,
    browserSessionId,
  }: {
    readonly applicationId: string
    readonly indexes: readonly string[]
    readonly browserSessionId: string | undefined
  },
): Promise<LoggedOut> {
  const sessionIds = await sessionsNamed(app, applicationId, indexes, browserSessionId)
  const joined = (await Promise.all([...sessionIds].map((id) => grantsOfSession(app, id)))).flat()
  const others = new Set(joined.map((one) => one.applicationId).filter((id) => id !== applicationId && id !== ''))
  const areSaml = await Promise.all([...others].map((id) => isServiceProvider(app, id)))
  for (const id of sessionIds) {
    try {
      await app.store.write(origin, (work) => endSessionIfOpen(app, work, id))
    } catch (error) {
      // It was ended meanwhile.
      if (!(error instanceof Refused)) throw error
    }
  }
  return { sessionIds, hasOthers: areSaml.includes(true) }
}
