/** Which service providers took part in a session. The index of a session is the ID of the grant that its assertion opened. */
import type { App } from '../../../module/app.ts'
import type { Document } from '../../../store/index.ts'
import { applications } from '../../applications/index.ts'
import { grants, type OpenGrant } from '../../grants/index.ts'
import { providerOf } from '../respond.ts'
import type { LogoutStep } from './events.ts'

/** How many indexes of a request are looked at, and how many we name ourselves: the newest. */
const MOST_INDEXES = 50
const MOST_NAMED = 20

/** How many service providers are told one after the other. Whoever has more is told that not all were. */
const MOST_STEPS = 20

const MOST_GRANTS = 500

type Subject = OpenGrant['subject']

async function subjectOf(app: App, grantId: string): Promise<Subject | undefined> {
  const state = (await app.store.get(grants, grantId))?.state
  return state?.status === 'open' ? state.subject : undefined
}

/** The grants of a session, newest first. */
async function grantsOfSession(app: App, sessionId: string): Promise<readonly Document<OpenGrant>[]> {
  const where = { field: 'sessionId', equals: sessionId } as const
  const query = { where, orderBy: 'createdAt', descending: true, limit: MOST_GRANTS } as const
  const { documents } = await app.store.find(grants, query)
  return documents.filter(({ state }) => state.status === 'open') as readonly Document<OpenGrant>[]
}

/** The sessions that a service provider names by their indexes. It ends only what it got itself. */
export async function sessionsNamed(
  app: App,
  applicationId: string,
  indexes: readonly string[],
): Promise<readonly string[]> {
  const subjects = await Promise.all(indexes.slice(0, MOST_INDEXES).map((index) => subjectOf(app, index)))
  return [...new Set(subjects.flatMap((one) => (one?.applicationId === applicationId ? [one.sessionId] : [])))]
}

/** Whether a session signed in to an application. */
export async function isSignedInTo(app: App, applicationId: string, sessionId: string): Promise<boolean> {
  return (await grantsOfSession(app, sessionId)).some(({ state }) => state.subject.applicationId === applicationId)
}

async function isServiceProvider(app: App, applicationId: string): Promise<boolean> {
  const state = (await app.store.get(applications, applicationId))?.state
  return state !== undefined && 'config' in state && state.config.type === 'saml'
}

async function canBeTold(app: App, applicationId: string): Promise<boolean> {
  const found = await providerOf(app, applicationId)
  return found !== undefined && found.config.logoutServices.length > 0
}

export interface Participants {
  readonly steps: readonly LogoutStep[]
  /** Whether there are others that cannot be told. */
  readonly leavesOut: boolean
}

/** One step for each name by which a service provider knows the user. */
function stepsOf(joined: readonly Document<OpenGrant>[]): { readonly steps: LogoutStep[]; readonly isWhole: boolean } {
  const steps = new Map<string, { readonly step: LogoutStep; readonly indexes: string[] }>()
  let isWhole = true
  for (const { id, state } of joined) {
    const { applicationId, serviceProviderName: name } = state.subject
    // A sign-in from before names were kept.
    if (name === undefined) {
      isWhole = false
      continue
    }
    const key = JSON.stringify([applicationId, name.format, name.value])
    const indexes = steps.get(key)?.indexes ?? []
    if (indexes.length < MOST_NAMED) indexes.push(id)
    steps.set(key, { step: { applicationId, name, indexes }, indexes })
  }
  const all = [...steps.values()].map(({ step }) => step)
  return { steps: all.slice(0, MOST_STEPS), isWhole: isWhole && all.length <= MOST_STEPS }
}

/** The service providers that a session signed in to, without the one that knows already. */
export async function participantsOf(app: App, sessionId: string, except?: string): Promise<Participants> {
  const joined = await grantsOfSession(app, sessionId)
  const ids = new Set(joined.map(({ state }) => state.subject.applicationId))
  const others = [...ids].filter((id) => id !== '' && id !== except)
  const known = await Promise.all(
    others.map(async (id) => ({ id, isSaml: await isServiceProvider(app, id), isTold: await canBeTold(app, id) })),
  )
  const told = new Set(known.flatMap(({ id, isTold }) => (isTold ? [id] : [])))
  const { steps, isWhole } = stepsOf(joined.filter(({ state }) => told.has(state.subject.applicationId)))
  return { steps, leavesOut: !isWhole || known.some(({ isSaml, isTold }) => isSaml && !isTold) }
}
