/**
 * The vendor of a product has one entity ID for all of its customers, so several organizations can have the same service
 * provider. A request does not say whose user comes. It is kept for each of them, and who signs in decides: their own
 * organization has the application, or exactly one of the others lets them use it.
 */
import { activeApplication } from '../features/applications/index.ts'
import type { StartedSamlRequest } from '../features/authorization-requests/index.ts'
import { mayUseProject } from '../features/authorizations/index.ts'
import type { Person } from '../features/sign-in/index.ts'
import type { App } from '../module/app.ts'
import type { Document } from '../store/index.ts'
import { BadMessage } from './bad-message.ts'

type Request = Document<StartedSamlRequest>

/** The request for the application that a user has. Whoever else has it is not told of the user. */
export async function requestFor(
  app: App,
  waiting: readonly Request[],
  { userId, organizationId }: Pick<Person, 'userId' | 'organizationId'>,
): Promise<Request> {
  const parties = await Promise.all(
    waiting.map(async (request) => {
      const project = (await activeApplication(app, request.state.applicationId))?.project
      const isFor = project !== undefined && (await mayUseProject(app, project, { id: userId, organizationId }))
      return { request, isFor, isOwn: project?.owner === organizationId }
    }),
  )
  const usable = parties.filter(({ isFor }) => isFor)
  const [own] = usable.filter(({ isOwn }) => isOwn)
  const chosen = own ?? (usable.length === 1 ? usable[0] : undefined)
  if (chosen === undefined) {
    throw new BadMessage('Several organizations have this application, and it is not clear which one is yours.')
  }
  return chosen.request
}
