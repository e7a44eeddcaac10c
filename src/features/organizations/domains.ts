/** Adds, removes and verifies the domains of an organization, and lists them, alike in the v1 and v2 services. */

import type { Call } from '../../access/call.ts'
import { newSecret } from '../../crypto/tokens.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Written } from '../../store/index.ts'
import type { OrganizationCommand } from './decider.ts'
import { organizations, requireOrganization } from './documents.ts'
import type { DomainProof } from './events.ts'
import { canonicalDomain } from './names.ts'
import { proofAddress } from './prove-domain.ts'
import { organizationRefusals } from './refusals.ts'
import type { Organization } from './state.ts'

/** The domain name in the form that is kept; throws for anything else, and names the field. */
export function checkedDomain(text: string, field = 'domain'): string {
  const domain = canonicalDomain(text)
  if (domain !== undefined) return domain
  const violations = [{ field, description: 'must be a domain name' }]
  throw refused(organizationRefusals, 'organization.domain_invalid', { violations })
}

function decide({ store }: App, { origin }: Call, organizationId: string, command: OrganizationCommand) {
  return store.write(origin, (work) => work.decide(organizations, organizationId, command, organizationId))
}

/** Adds a domain. It takes effect only after verification. */
export function addDomain(
  app: App,
  call: Call,
  organizationId: string,
  domain: string,
): Promise<Written<Document<Organization>>> {
  return decide(app, call, organizationId, { type: 'add_domain', domain: checkedDomain(domain) })
}

/** Removes a domain. */
export function removeDomain(
  app: App,
  call: Call,
  organizationId: string,
  domain: string,
): Promise<Written<Document<Organization>>> {
  return decide(app, call, organizationId, { type: 'remove_domain', domain: checkedDomain(domain) })
}

/** Makes a verified domain the one that stands for the organization. */
export function setPrimaryDomain(
  app: App,
  call: Call,
  organizationId: string,
  domain: string,
): Promise<Written<Document<Organization>>> {
  return decide(app, call, organizationId, { type: 'set_primary_domain', domain: checkedDomain(domain) })
}

/** Makes a token that proves control of a domain, and says where it is looked for. */
export async function startDomainValidation(
  app: App,
  call: Call,
  organizationId: string,
  { domain, proof }: { readonly domain: string; readonly proof: DomainProof },
): Promise<{ readonly token: string; readonly url: string }> {
  const name = checkedDomain(domain)
  const token = Buffer.from(newSecret()).toString('base64url')
  await decide(app, call, organizationId, { type: 'start_domain_validation', domain: name, proof, token })
  return { token, url: proofAddress(name, proof, token) }
}

/** Verifies a domain by looking for its token there. */
export async function verifyDomain(
  app: App,
  call: Call,
  organizationId: string,
  domain: string,
): Promise<Written<Document<Organization>>> {
  const name = checkedDomain(domain)
  const { state } = await requireOrganization(app, organizationId)
  const found = state.domains.find((candidate) => candidate.domain === name)
  const validation = found?.isVerified === false ? found.validation : undefined
  const proven =
    validation !== undefined && (await app.findDomainToken(name, validation.proof, validation.token, call.signal))
  return decide(app, call, organizationId, {
    type: 'verify_domain',
    domain: name,
    token: validation?.token ?? '',
    proven,
  })
}
