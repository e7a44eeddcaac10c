/** The organizations that a visit to a page is about. */
import { organizationOfLook } from '../features/authorization-requests/index.ts'
import { findPerson } from '../features/sign-in/index.ts'
import type { App } from '../module/app.ts'
import { organizationOf, requestIdOf } from './browser.ts'
import type { PageCookie } from './cookies.ts'
import type { Visit } from './site.ts'

export interface VisitedOrganizations {
  /** The organization whose look and texts a page has; undefined: those of the instance. */
  readonly organizationId: string | undefined
  /** The organization of the person who is signed in. */
  readonly ownOrganizationId: string | undefined
}

/** Finds the organizations of a visit. */
export async function organizationsOfVisit(app: App, cookie: PageCookie, visit: Visit): Promise<VisitedOrganizations> {
  const token = cookie.read(visit.request)
  const ownOrganizationId = (token === undefined ? undefined : await findPerson(app, token))?.organizationId
  const requestId = requestIdOf(visit)
  const organizationId =
    requestId === undefined
      ? (organizationOf(visit) ?? ownOrganizationId)
      : await organizationOfLook(app, requestId, ownOrganizationId)
  return { organizationId, ownOrganizationId }
}
