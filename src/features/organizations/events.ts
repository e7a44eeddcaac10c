/**
 * The life of one organization and of the domains it calls its own. Stream: `organization`, owned by itself.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'

/** How an organization proves that a domain is its own: a TXT record, or a file on its web server. */
export type DomainProof = 'dns' | 'http'

export type OrganizationEvent =
  | Fact<'organization.added.v1', { readonly name: string }>
  | Fact<'organization.renamed.v1', { readonly name: string }>
  | Fact<'organization.deactivated.v1', Record<never, never>>
  | Fact<'organization.reactivated.v1', Record<never, never>>
  | Fact<'organization.removed.v1', Record<never, never>>
  | Fact<'organization.domain_added.v1', { readonly domain: string }>
  /** `token` is meant to be published by the organization: it proves something only where it is found. */
  | Fact<
      'organization.domain_validation_started.v1',
      { readonly domain: string; readonly proof: DomainProof; readonly token: string }
    >
  | Fact<'organization.domain_verified.v1', { readonly domain: string }>
  | Fact<'organization.domain_removed.v1', { readonly domain: string }>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const organizationEventTypes: readonly string[] = Object.keys({
  'organization.added.v1': true,
  'organization.renamed.v1': true,
  'organization.deactivated.v1': true,
  'organization.reactivated.v1': true,
  'organization.removed.v1': true,
  'organization.domain_added.v1': true,
  'organization.domain_validation_started.v1': true,
  'organization.domain_verified.v1': true,
  'organization.domain_removed.v1': true,
} satisfies Record<OrganizationEvent['type'], true>)
