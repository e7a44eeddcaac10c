/** The v1 methods for the domains of the organization of the call. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { DomainValidationType } from '../../../contract/gen/signet/org/v1/domain_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { findOrganizationByDomain, requireOrganization } from './documents.ts'
import { addDomain, removeDomain, setPrimaryDomain, startDomainValidation, verifyDomain } from './domains.ts'
import { domainV1 } from './messages.ts'
import { matchesDomain } from './queries.ts'
import { organizationRefusals } from './refusals.ts'

/** The v1 methods for domains. */
export function domainMethodsV1(app: App): readonly Method[] {
  return methods(ManagementService, {
    async getOrgByDomainGlobal({ domain }) {
      const id = await findOrganizationByDomain(app, domain)
      if (id === undefined) throw refused(organizationRefusals, 'organization.not_found')
      // Of an organization that the caller may not read, only what tells it from others.
      const { state } = await requireOrganization(app, id)
      return { org: { id, name: state.name } }
    },
    async addOrgDomain({ domain }, call) {
      return { details: writtenV1(await addDomain(app, call, call.organizationId, domain)) }
    },
    async listOrgDomains({ query, queries }, call) {
      const document = await requireOrganization(app, call.organizationId)
      const { offset, limit, descending } = pageOf(query, 'query')
      const found = document.state.domains.filter(({ domain }) =>
        queries.every(({ query: one }) => {
          if (one.case === undefined) return false
          return matchesDomain(domain, { domain: one.value.name, method: one.value.method })
        }),
      )
      const page = (descending ? found.toReversed() : found).slice(offset, offset + limit)
      return {
        details: listDetailsV1({ total: found.length, sequence: document.sequence }, call.at),
        result: page.map((domain) => domainV1(document, domain)),
      }
    },
    async removeOrgDomain({ domain }, call) {
      return { details: writtenV1(await removeDomain(app, call, call.organizationId, domain)) }
    },
    async setPrimaryOrgDomain({ domain }, call) {
      return { details: writtenV1(await setPrimaryDomain(app, call, call.organizationId, domain)) }
    },
    generateOrgDomainValidation: ({ domain, type }, call) => {
      const proof = type === DomainValidationType.DNS ? 'dns' : 'http'
      return startDomainValidation(app, call, call.organizationId, { domain, proof })
    },
    async validateOrgDomain({ domain }, call) {
      return { details: writtenV1(await verifyDomain(app, call, call.organizationId, domain)) }
    },
  })
}
