/** Adds organizations that another product had, with their domains. */
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { organizations } from '../documents.ts'
import type { Organization } from '../state.ts'
import { checkNewOrganization, isDefault } from './change-organization.ts'

export interface ImportedOrganization {
  readonly id: string
  readonly name: string
}

/** A domain, and whether the other product has checked that the organization controls it. */
export interface ImportedDomain {
  readonly name: string
  readonly isVerified: boolean
}

/** Adds an organization as part of a write. It is active, so that its users can be added. */
export function importOrganization(
  app: App,
  work: Work,
  { id, name }: ImportedOrganization,
): Promise<Document<Organization>> {
  checkNewOrganization(app, { id, name })
  return work.decide(organizations, id, { type: 'add', name }, id)
}

/** Adds a domain to an organization as part of a write. */
export function importDomain(
  work: Work,
  organizationId: string,
  { name: domain, isVerified }: ImportedDomain,
): Promise<Document<Organization>> {
  return work.decide(organizations, organizationId, { type: 'bring_domain', domain, isVerified }, organizationId)
}

/** Deactivates an organization that was not active there, after everything in it was added. */
export async function closeImported(app: App, work: Work, id: string): Promise<void> {
  const organization = await work.get(organizations, id)
  if (organization?.state.status !== 'active') return
  await work.decide(organizations, id, { type: 'deactivate', isDefault: await isDefault(work, app.instanceId, id) }, id)
  await app.lifecycle.whenOrganizationClosed(app, work, id)
}
