/**
 * Records a refused sign-in in a write of its own. What is read and written is the same whether or not there is such a user,
 * so that the time of an answer tells nothing (docs/decisions/0031).
 */

import { Refused } from '../../../kernel/refusal.ts'
import type { App, RefusedSignIn } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { activeApplicationOfClient, applications } from '../../applications/index.ts'
import { findRequest, findSamlRequest } from '../../authorization-requests/index.ts'
import { organizations } from '../../organizations/index.ts'
import { MOST_FAILURES } from '../decider.ts'
import { signIns } from '../documents.ts'
import type { ApplicationRef } from '../events.ts'
import { type Explained, explainRefusal, METHOD_OF_STEP, STEP_OF_CHECK } from '../reasons.ts'
import { countOnly } from './count-failures.ts'
import { noteAddress } from './note-address.ts'

const HOUR_MS = 3_600_000

interface Asking extends ApplicationRef {
  readonly organizationId: string
}

/** The application that asked for the sign-in, if it can be found out. */
async function findAsking(app: App, { requestId, applicationId }: RefusedSignIn): Promise<Asking | undefined> {
  const at = app.clock()
  const request =
    requestId === undefined
      ? undefined
      : ((await findRequest(app, requestId, at)) ?? (await findSamlRequest(app.store, requestId, at)))
  const found = request && (await activeApplicationOfClient(app, request.state.clientId))
  const known =
    found?.application ?? (applicationId === undefined ? undefined : await app.store.get(applications, applicationId))
  if (known === undefined || !('projectId' in known.state)) return undefined
  return { applicationId: known.id, projectId: known.state.projectId, organizationId: known.owner }
}

/** Whose failure it is: of the user's organization, of the one that the visitor named, or of the application's. */
async function ownerOf(app: App, { organizationId }: RefusedSignIn, asking: Asking | undefined): Promise<string> {
  const named = await app.store.get(organizations, organizationId ?? app.instanceId)
  return named?.id ?? asking?.organizationId ?? app.instanceId
}

async function store(app: App, refused: RefusedSignIn, { reason, setting }: Explained): Promise<void> {
  const { origin, check, userId, sessionId, providerId, from } = refused
  const asking = await findAsking(app, refused)
  const owner = await ownerOf(app, refused, asking)
  const application = asking && { applicationId: asking.applicationId, projectId: asking.projectId }
  const kind = STEP_OF_CHECK[check] ?? 'application'
  const method = METHOD_OF_STEP[kind]
  const command = {
    type: 'fail',
    reason,
    step: { at: origin.at, kind, result: 'failed', reason, ...(setting && { setting }) },
    ...(userId !== undefined && { userId }),
    ...(method !== undefined && { method }),
    ...(application && { application }),
    ...(providerId !== undefined && { providerId }),
  } as const
  const failedIn = `${owner} ${Math.floor(origin.at / HOUR_MS)}`
  const build = async (work: Work): Promise<boolean> => {
    const known = sessionId === undefined ? undefined : await work.get(signIns, sessionId)
    if (known === undefined) {
      const id = app.newId()
      await work.begin(signIns, id, { ...command, failedIn }, owner)
      await noteAddress(app, work, id, { userId, from }, owner)
    } else if (known.state.failures < MOST_FAILURES) await work.decide(signIns, known.id, command)
    else return false
    return true
  }
  const counted = { organizationId: owner, applicationId: application?.applicationId, reason }
  try {
    const { value: isStored } = await app.store.write(origin, build)
    if (!isStored) countOnly(app, counted)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'store.limit_reached') throw error
    countOnly(app, counted)
    // As long as it takes to store one.
    await app.store.write(origin, async (work) => work.waitForDisk())
  }
}

/** Never throws: the refusal itself is the answer, whatever becomes of its record. */
export async function recordFailure(app: App, refused: RefusedSignIn): Promise<void> {
  try {
    const explained = await explainRefusal(app, refused)
    if (explained !== undefined) await store(app, refused, explained)
  } catch (error) {
    app.log.warn({ error, check: refused.check, code: refused.code }, 'a refused sign-in could not be recorded')
  }
}
