/** Adds organizations that another product had, with their domains. */
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { organizations } from '../documents.ts'
import { ORGANIZATION_REMOVED } from '../jobs.ts'
import { canonicalDomain } from '../names.ts'
import { isLiving, type Organization } from '../state.ts'
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
export async function importOrganization(
  app: App,
  work: Work,
  { id, name }: ImportedOrganization,
): Promise<Document<Organization>> {
  await checkNewOrganization(app, work, { id, name })
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

/** Changes an organization to what another product has now, as part of a write. It is deactivated by `closeImported`. */
export async function followOrganization(
  work: Work,
  { id, name, isActive }: ImportedOrganization & { readonly isActive: boolean },
): Promise<void> {
  const { state } = await work.decide(organizations, id, { type: 'rename', name })
  if (state.status === 'inactive' && isActive) await work.decide(organizations, id, { type: 'reactivate' })
}

/** Removes the domains that another product does not have any more, or has verified since, as part of a write. */
export async function keepDomains(
  work: Work,
  id: string,
  domains: readonly ImportedDomain[],
): Promise<ReadonlySet<string>> {
  const state = (await work.get(organizations, id))?.state
  const kept = new Set<string>()
  const wanted = new Map(domains.map(({ name, isVerified }) => [canonicalDomain(name), isVerified]))
  for (const { domain, isVerified } of state !== undefined && isLiving(state) ? state.domains : []) {
    if (wanted.get(domain) === isVerified) kept.add(domain)
    else await work.decide(organizations, id, { type: 'remove_domain', domain })
  }
  return new Set(domains.map(({ name }) => name).filter((name) => kept.has(canonicalDomain(name) ?? '')))
}

/** Removes an organization that another product does not have any more, as part of a write. A job removes what is in it. */
export async function removeImported(app: App, work: Work, id: string): Promise<void> {
  await work.decide(organizations, id, { type: 'remove', isDefault: await isDefault(work, app.instanceId, id) }, id)
  await app.lifecycle.whenOrganizationClosed(app, work, id)
  work.enqueue({ kind: ORGANIZATION_REMOVED, data: { organizationId: id } })
}
