/** The OrganizationService methods for domains. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { DomainFieldName, DomainValidationType } from '../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { findOrganization } from './documents.ts'
import { addDomain, removeDomain, startDomainValidation, verifyDomain } from './domains.ts'
import { domainMessage } from './messages.ts'
import { matchesDomain } from './queries.ts'

/** The methods for domains of organizations. */
export function domainMethods(app: App): readonly Method[] {
  return methods(OrganizationService, {
    async addOrganizationDomain({ organizationId, domain }, call) {
      call.authorize(organizationId)
      const { at } = await addDomain(app, call, organizationId, domain)
      return { creationDate: timestampFromMs(at) }
    },
    async listOrganizationDomains({ organizationId, pagination, filters, sortingColumn }, call) {
      call.authorize(organizationId)
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      const document = await findOrganization(app.store, organizationId)
      if (document === undefined) return { pagination: { appliedLimit: BigInt(limit) } }
      const found = document.state.domains.filter(({ domain }) =>
        filters.every(({ filter }) => filter.case !== undefined && matchesDomain(domain, filter.value)),
      )
      const sorted =
        sortingColumn === DomainFieldName.NAME
          ? found.toSorted((one, other) => (one.domain < other.domain ? -1 : 1))
          : found
      const page = (descending ? sorted.toReversed() : sorted).slice(offset, offset + limit)
      return {
        pagination: { totalResult: BigInt(found.length), appliedLimit: BigInt(limit) },
        domains: page.map((domain) => domainMessage(document, domain)),
      }
    },
    async deleteOrganizationDomain({ organizationId, domain }, call) {
      call.authorize(organizationId)
      const { at } = await removeDomain(app, call, organizationId, domain)
      return { deletionDate: timestampFromMs(at) }
    },
    async generateOrganizationDomainValidation({ organizationId, domain, type }, call) {
      call.authorize(organizationId)
      const proof = type === DomainValidationType.DNS ? 'dns' : 'http'
      return startDomainValidation(app, call, organizationId, { domain, proof })
    },
    async verifyOrganizationDomain({ organizationId, domain }, call) {
      call.authorize(organizationId)
      const { at } = await verifyDomain(app, call, organizationId, domain)
      return { changeDate: timestampFromMs(at) }
    },
  })
}
