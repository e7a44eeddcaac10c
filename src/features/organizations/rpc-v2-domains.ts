/** The OrganizationService methods for domains. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { DomainFieldName, DomainValidationType } from '../../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import type { App } from '../../access/app.ts'
import { type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { newSecret } from '../../crypto/tokens.ts'
import { refused } from '../../kernel/refusal.ts'
import { organizations, requireOrganization } from './documents.ts'
import type { DomainProof } from './events.ts'
import { domainMessage } from './messages.ts'
import { canonicalDomain } from './names.ts'
import { proofAddress } from './prove-domain.ts'
import { matchesDomain } from './queries.ts'
import { organizationRefusals } from './refusals.ts'

function checkedDomain(text: string): string {
  const domain = canonicalDomain(text)
  if (domain !== undefined) return domain
  const violations = [{ field: 'domain', description: 'must be a domain name' }]
  throw refused(organizationRefusals, 'organization.domain_invalid', { violations })
}

/** The methods for domains of organizations. */
export function domainMethods(app: App): readonly Method[] {
  const { store } = app
  return methods(OrganizationService, {
    async addOrganizationDomain({ organizationId, domain }, call) {
      call.authorize(organizationId)
      const command = { type: 'add_domain', domain: checkedDomain(domain) } as const
      const { at } = await store.write(call.origin, (work) =>
        work.decide(organizations, organizationId, command, organizationId),
      )
      return { creationDate: timestampFromMs(at) }
    },
    async listOrganizationDomains({ organizationId, pagination, filters, sortingColumn }, call) {
      call.authorize(organizationId)
      const document = await requireOrganization(app, organizationId)
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
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
      const command = { type: 'remove_domain', domain: checkedDomain(domain) } as const
      const { at } = await store.write(call.origin, (work) =>
        work.decide(organizations, organizationId, command, organizationId),
      )
      return { deletionDate: timestampFromMs(at) }
    },
    async generateOrganizationDomainValidation({ organizationId, domain, type }, call) {
      call.authorize(organizationId)
      const name = checkedDomain(domain)
      const proof: DomainProof = type === DomainValidationType.DNS ? 'dns' : 'http'
      const token = Buffer.from(newSecret()).toString('base64url')
      const command = { type: 'start_domain_validation', domain: name, proof, token } as const
      await store.write(call.origin, (work) => work.decide(organizations, organizationId, command, organizationId))
      return { token, url: proofAddress(name, proof, token) }
    },
    async verifyOrganizationDomain({ organizationId, domain }, call) {
      call.authorize(organizationId)
      const name = checkedDomain(domain)
      const { state } = await requireOrganization(app, organizationId)
      const found = state.domains.find((candidate) => candidate.domain === name)
      const validation = found?.isVerified === false ? found.validation : undefined
      const proven =
        validation !== undefined && (await app.findDomainToken(name, validation.proof, validation.token, call.signal))
      const command = { type: 'verify_domain', domain: name, token: validation?.token ?? '', proven } as const
      const { at } = await store.write(call.origin, (work) =>
        work.decide(organizations, organizationId, command, organizationId),
      )
      return { changeDate: timestampFromMs(at) }
    },
  })
}
