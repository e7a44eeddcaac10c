/** A domain that an organization proves by DNS. */
import { DomainValidationType } from '../../contract/gen/signet/org/v2/domain_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import type { OpenIdWorld } from './openid-world.ts'

export async function proveDomain(world: OpenIdWorld, organizationId: string, domain: string): Promise<void> {
  const v2 = OrganizationService.method
  await world.call(v2.addOrganizationDomain, { organizationId, domain }, world.owner)
  const asked = { organizationId, domain, type: DomainValidationType.DNS }
  await world.call(v2.generateOrganizationDomainValidation, asked, world.owner)
  world.provenDomains.add(domain)
  await world.call(v2.verifyOrganizationDomain, { organizationId, domain }, world.owner)
}
