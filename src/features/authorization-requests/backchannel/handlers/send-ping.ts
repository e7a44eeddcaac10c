/**
 * Tells an application that a user has decided (CIBA §10.2, ping mode). The commit of the decision enqueues the job. It is
 * sent to the address that the application has now, by the guarded fetch: never to an internal address, and no redirect.
 */

import { SealBroken } from '../../../../crypto/seal.ts'
import type { App } from '../../../../module/app.ts'
import type { JobGroup } from '../../../../module/module.ts'
import { GivenUp, type Job } from '../../../../store/index.ts'
import { activeApplicationOfClient } from '../../../applications/index.ts'
import { backchannelRequests, PING_JOB, type PingData, pingPlace } from '../documents.ts'

const TIMEOUT_MS = 5000

/** The pauses between tries. After the last one it is dropped: the application can ask, too. */
const PAUSES_MS = [1000, 5000, 30_000, 60_000] as const

/** How long a job waits after this many tries. */
function pingPause(attempts: number): number | undefined {
  return PAUSES_MS[attempts - 1]
}

async function notificationUriOf(app: App, clientId: string): Promise<string | undefined> {
  const config = (await activeApplicationOfClient(app, clientId))?.application.state.config
  return config?.type === 'oidc' ? config.ciba?.notificationUri : undefined
}

async function readPing(app: App, id: string, sealed: string): Promise<{ requestId: string; token: string }> {
  try {
    return JSON.parse(await app.vault.open(pingPlace(id), sealed))
  } catch (error) {
    if (error instanceof SealBroken) throw new GivenUp('What the application is told can no longer be opened.')
    throw error
  }
}

/** Sends a notification; throws when it should be tried again. */
async function sendPing(app: App, { data, attempts, signal }: Job): Promise<void> {
  const { id } = data as PingData
  const state = (await app.store.get(backchannelRequests, id))?.state
  if (state === undefined || state.status === 'unknown' || state.secret.ping === undefined) return
  // What has expired is of no use any more.
  if (app.clock() >= state.expiresAt) return
  const uri = await notificationUriOf(app, state.clientId)
  if (uri === undefined) return
  const { applicationId } = state
  const { requestId, token } = await readPing(app, id, state.secret.ping)
  try {
    const { status } = await app.fetchOutside(uri, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ auth_req_id: requestId }),
      reads: 'status',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (status >= 200 && status < 300) return
    // A redirect is not followed, and who refuses it would refuse it again (CIBA §10.2).
    if (status < 500) return app.log.warn({ applicationId, status }, 'the application refused the notice of a decision')
    throw new Error(`the application answered the notice of a decision with ${status}`)
  } catch (error) {
    signal.throwIfAborted()
    if (pingPause(attempts + 1) !== undefined) throw error
    app.log.warn({ applicationId, error }, 'the application could not be told about a decision')
  }
}

/** They have a loop of their own: an application that answers slowly delays nothing else. */
export function pingJobs(app: App): JobGroup {
  return {
    handlers: { [PING_JOB]: (job) => sendPing(app, job) },
    options: { concurrency: 8, pauseAfter: pingPause },
  }
}
