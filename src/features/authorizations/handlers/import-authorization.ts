/** Adds authorizations that another product had, under their IDs. */
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import type { Authorization } from '../decider.ts'
import { authorizations } from '../documents.ts'
import { addAuthorizationIn, type NewAuthorization } from './add-authorization.ts'

export interface ImportedAuthorization extends NewAuthorization {
  readonly id: string
  readonly isActive: boolean
}

/** Adds an authorization as part of a write. User, project, grant and roles must exist. */
export async function importAuthorization(
  app: App,
  work: Work,
  { id, isActive, ...added }: ImportedAuthorization,
): Promise<Document<Authorization>> {
  const document = await addAuthorizationIn(app, work, id, added)
  return isActive ? document : work.decide(authorizations, id, { type: 'deactivate' })
}
