/** Whose look the pages have while a user signs in to an application. */
import type { App } from '../../../module/app.ts'
import { activeApplicationOfClient } from '../../applications/index.ts'
import { describeRequest, organizationOfScopes } from './describe-request.ts'

/**
 * The organization of the project, where the project insists on it; else the one that the scopes name; else that of the
 * user as soon as they are known; else that of the project, if the project allows the look of the user's organization.
 * Undefined: the look of the instance.
 */
export async function organizationOfLook(
  app: App,
  requestId: string,
  userOrganizationId: string | undefined,
): Promise<string | undefined> {
  const request = await describeRequest(app, requestId)
  if (request === undefined) return userOrganizationId
  const found = await activeApplicationOfClient(app, request.clientId)
  const project = found?.project
  const labeling = project?.state.privateLabeling ?? 'unspecified'
  if (labeling === 'project_organization') return project?.owner
  const named = await organizationOfScopes(app, request.scopes)
  return named ?? userOrganizationId ?? (labeling === 'user_organization' ? project?.owner : undefined)
}
