/** Removes applications with their secrets and keys, also those of a removed project or organization. */

import type { Call } from '../../../access/call.ts'
import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App, RemoveBatch } from '../../../module/app.ts'
import { removeOnce } from '../../../module/remove-once.ts'
import type { Document, Filter, Origin, Work, Written } from '../../../store/index.ts'
import { consoleApplicationId } from '../../instances/index.ts'
import { registeredClient, registeredClients } from '../agents/registered-clients.ts'
import { type ApplicationField, applicationKeys, applicationSecrets, applications } from '../documents.ts'
import { applicationForCaller, removedApplication, requireApplication } from '../find-application.ts'
import { applicationRefusals } from '../refusals.ts'
import { type Application, isLiving } from '../state.ts'

/** Removes an application as part of a write. */
export async function removeApplicationIn(app: App, work: Work, id: string): Promise<Document<Application>> {
  const removed = await work.decide(applications, id, { type: 'remove' })
  const secret = await work.get(applicationSecrets, id)
  if (secret?.state.status === 'set') await work.decide(applicationSecrets, id, { type: 'remove' })
  for (const keyId of await app.store.findIds(applicationKeys, { field: 'applicationId', equals: id })) {
    // It may have been removed since it was found.
    if (await work.get(applicationKeys, keyId)) await work.decide(applicationKeys, keyId, { type: 'remove' })
  }
  return removed
}

/** Removes an application. From the commit on, its tokens are invalid, because they are checked against it. */
function removeApplication(app: App, origin: Origin, id: string): Promise<Written<Document<Application>>> {
  return app.store.write(origin, async (work) => {
    await requireApplication(app, id, undefined, work)
    if (id === (await consoleApplicationId(app, work))) throw refused(applicationRefusals, 'application.is_console')
    return removeApplicationIn(app, work, id)
  })
}

/** Removes an application of a project for a caller, unless that was done before. */
export function removeApplicationFor(app: App, call: Call, id: string, projectId: string): Promise<Document<unknown>> {
  return removeOnce<unknown>(
    () => removedApplication(app, call, id, projectId),
    async () => {
      await applicationForCaller(app, call, id, projectId)
      return (await removeApplication(app, call.origin, id)).value
    },
  )
}

async function removeSome(app: App, where: Filter<ApplicationField>, origin: Origin, limit: number): Promise<number> {
  const ids = await app.store.findIds(applications, where, limit)
  await app.store.write(origin, async (work) => {
    await eachAtOnce(ids, async (id) => {
      if (await work.get(applications, id)) await removeApplicationIn(app, work, id)
    })
  })
  return ids.length
}

/** How many registered clients are removed with one call. */
const MOST_REGISTERED = 1_000
const AT_ONCE = 100

/** Removes what clients that registered themselves are in a project, and ends their registrations; answers how many. */
export async function removeRegisteredClients(app: App, origin: Origin, projectId: string): Promise<number> {
  const where = {
    all: [
      { field: 'agentIn', equals: projectId },
      { field: 'agentKind', equals: 'registration' },
    ],
  } as const
  const found = await app.store.findIds(applications, where, MOST_REGISTERED)
  for (let start = 0; start < found.length; start += AT_ONCE) {
    await app.store.write(origin, async (work) => {
      for (const id of found.slice(start, start + AT_ONCE)) {
        const state = (await work.get(applications, id))?.state
        if (state === undefined || !isLiving(state)) continue
        await removeApplicationIn(app, work, id)
        if (await registeredClient(app, state.clientId, work)) {
          await work.decide(registeredClients, state.clientId, { type: 'remove', at: work.origin.at })
        }
      }
    })
  }
  return found.length
}

/** Removes applications of a removed project. */
export const removeApplicationsOfProject: RemoveBatch = (app, projectId, origin, limit) =>
  removeSome(app, { field: 'projectId', equals: projectId }, origin, limit)

/** Removes applications of a removed organization. */
export const removeApplicationsOfOrganization: RemoveBatch = (app, organizationId, origin, limit) =>
  removeSome(app, { field: 'owner', equals: organizationId }, origin, limit)
