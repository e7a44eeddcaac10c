/** The current state of one organization: the fold of its events. */
import { searchText } from '../../kernel/fold-text.ts'
import { nameKey } from '../../kernel/name.ts'
import type { DomainProof, OrganizationEvent } from './events.ts'

export interface OrganizationDomain {
  readonly domain: string
  readonly isVerified: boolean
  /** The last requested validation. */
  readonly validation?: { readonly proof: DomainProof; readonly token: string }
}

export interface LivingOrganization {
  readonly status: 'active' | 'inactive'
  readonly name: string
  /** In the order in which they were added. */
  readonly domains: readonly OrganizationDomain[]
  /** The domain that was chosen to stand for the organization; it may be gone. */
  readonly chosenDomain?: string
  /** Whether others than the directory may change what it manages. */
  readonly allowsManagedChanges?: boolean
  readonly search: {
    /** Folded, for filters and sorting that ignore case. */
    readonly name: string
    /** The unique key of the name. */
    readonly nameKey: string
    /** Verified domains, each between two line breaks, so that a text search finds one of them. */
    readonly domains: string
  }
}

export type Organization = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingOrganization

/** Whether the organization exists. */
export function isLiving(organization: Organization): organization is LivingOrganization {
  return organization.status === 'active' || organization.status === 'inactive'
}

/** The verified domains, oldest first. */
export function verifiedDomains({ domains }: LivingOrganization): readonly string[] {
  return domains.filter(({ isVerified }) => isVerified).map(({ domain }) => domain)
}

/** The verified domain that was chosen, or else the first one; empty when there is none. */
export function primaryDomain(organization: LivingOrganization): string {
  const verified = verifiedDomains(organization)
  return verified.find((domain) => domain === organization.chosenDomain) ?? verified[0] ?? ''
}

function named(organization: LivingOrganization, name: string): LivingOrganization {
  return {
    ...organization,
    name,
    search: { ...organization.search, name: searchText(name), nameKey: nameKey(name) },
  }
}

function withDomains(organization: LivingOrganization, domains: readonly OrganizationDomain[]): LivingOrganization {
  const changed = { ...organization, domains }
  const verified = verifiedDomains(changed)
  const text = verified.length === 0 ? '' : `\n${verified.join('\n')}\n`
  return { ...changed, search: { ...changed.search, domains: text } }
}

function changeDomain(
  organization: LivingOrganization,
  name: string,
  change: Partial<OrganizationDomain>,
): LivingOrganization {
  return withDomains(
    organization,
    organization.domains.map((domain) => (domain.domain === name ? { ...domain, ...change } : domain)),
  )
}

const NEW: LivingOrganization = {
  status: 'active',
  name: '',
  domains: [],
  search: { name: '', nameKey: '', domains: '' },
}

export function evolveOrganization(state: Organization, event: OrganizationEvent): Organization {
  if (event.type === 'organization.added.v1') return named(NEW, event.data.name)
  if (!isLiving(state)) return state
  switch (event.type) {
    case 'organization.renamed.v1':
      return named(state, event.data.name)
    case 'organization.deactivated.v1':
      return { ...state, status: 'inactive' }
    case 'organization.reactivated.v1':
      return { ...state, status: 'active' }
    case 'organization.removed.v1':
      return { status: 'removed' }
    case 'organization.domain_added.v1':
      return withDomains(state, [...state.domains, { domain: event.data.domain, isVerified: false }])
    case 'organization.domain_validation_started.v1': {
      const { domain, proof, token } = event.data
      return changeDomain(state, domain, { validation: { proof, token } })
    }
    case 'organization.domain_verified.v1':
      return changeDomain(state, event.data.domain, { isVerified: true })
    case 'organization.primary_domain_set.v1':
      return { ...state, chosenDomain: event.data.domain }
    case 'organization.managed_changes_set.v1':
      return { ...state, allowsManagedChanges: event.data.areAllowed }
    case 'organization.domain_removed.v1':
      return withDomains(
        state,
        state.domains.filter(({ domain }) => domain !== event.data.domain),
      )
  }
}
