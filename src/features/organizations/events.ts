/**
 * Organizations and their domains. Stream: `organization`, owned by itself.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

/** How an organization proves that it controls a domain: a TXT record, or a file on its web server. */
export type DomainProof = 'dns' | 'http'

export const organizationEvents = declareEvents({
  'organization.added.v1': data<{ readonly name: string }>(),
  'organization.renamed.v1': data<{ readonly name: string }>(),
  'organization.deactivated.v1': data(),
  'organization.reactivated.v1': data(),
  'organization.removed.v1': data(),
  'organization.domain_added.v1': data<{ readonly domain: string }>(),
  /** The organization publishes `token`. It is a proof only at the domain itself. */
  'organization.domain_validation_started.v1': data<{
    readonly domain: string
    readonly proof: DomainProof
    readonly token: string
  }>(),
  'organization.domain_verified.v1': data<{ readonly domain: string }>(),
  'organization.domain_removed.v1': data<{ readonly domain: string }>(),
  /** One of the verified domains stands for the organization. */
  'organization.primary_domain_set.v1': data<{ readonly domain: string }>(),
  /** Whether others than the directory may change what it manages. */
  'organization.managed_changes_set.v1': data<{ readonly areAllowed: boolean }>(),
})

export type OrganizationEvent = EventOf<typeof organizationEvents>
