/** The kind `organization`: its search fields, and its unique names and domains. */

import { addressDomain, type ChosenKind, idProblem } from '../../kernel/chosen-id.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Reader } from '../../store/index.ts'
import { MOST_DOMAINS, organization } from './decider.ts'
import { organizationEvents } from './events.ts'
import { canonicalDomain, domainsFor } from './names.ts'
import { organizationRefusals } from './refusals.ts'
import { isLiving, type LivingOrganization, type Organization, verifiedDomains } from './state.ts'

/** The claim that makes a name unique in the instance; its value is the name's key. */
export const ORGANIZATION_NAME_CLAIM = 'organization-name'
/** The claim on a verified domain; its value is the domain. */
export const ORGANIZATION_DOMAIN_CLAIM = 'organization-domain'

/** `typedName` is the name as typed, for case-sensitive filters. They are rare, so it has no index. */
export const organizations = kind({
  name: 'organization',
  ids: 'chosen',
  waits: false,
  path: { changedBy: 'Its domains count from the proof by DNS.' },
  version: 3,
  events: organizationEvents,
  decider: organization,
  refusals: organizationRefusals,
  fields: {
    name: { path: ['search', 'name'], type: 'text', beside: ['typedName'] },
    typedName: { path: ['name'], type: 'text', indexed: false },
    domains: { path: ['search', 'domains'], type: 'text', isLong: true },
    status: { path: ['status'], type: 'text', selective: false },
  },
  claims: (state) =>
    isLiving(state)
      ? [
          {
            kind: ORGANIZATION_NAME_CLAIM,
            within: { instance: 'Names of organizations are first come, first served; nothing is looked up by them.' },
            value: state.search.nameKey,
            taken: 'organization.name_taken' as const,
          },
          ...verifiedDomains(state).map((value) => ({
            kind: ORGANIZATION_DOMAIN_CLAIM,
            within: { instance: 'The domain is proven, or one that an owner of the instance gives.' },
            value,
            taken: 'organization.domain_taken' as const,
          })),
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  limits: [
    {
      things: 'domains',
      holder: 'an organization',
      inside: (state) => (isLiving(state) ? state.domains.length : 0),
      number: MOST_DOMAINS,
    },
  ],
})

/** A name by which organizations can be filtered or sorted. */
export type OrganizationField = keyof typeof organizations.fields & string

/** The state of an organization, for authorization and identification; undefined when there is none. */
export async function organizationState(app: App, id: string): Promise<'active' | 'inactive' | undefined> {
  return (await findOrganization(app.store, id))?.state.status
}

/** The organization with this ID, active or not; undefined when there is none. */
export async function findOrganization(reader: Reader, id: string): Promise<Document<LivingOrganization> | undefined> {
  const document = await reader.get(organizations, id)
  return document !== undefined && isLiving(document.state) ? (document as Document<LivingOrganization>) : undefined
}

/** The document of an organization that exists; throws `organization.not_found` when there is none. */
export function livingOrganization(document: Document<Organization> | undefined): Document<LivingOrganization> {
  if (document === undefined || !isLiving(document.state)) throw refused(organizationRefusals, 'organization.not_found')
  return document as Document<LivingOrganization>
}

/** The organization with this ID; throws `organization.not_found`. Inside a work it is guarded until the commit. */
export async function requireOrganization(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingOrganization>> {
  return livingOrganization(await reader.get(organizations, id))
}

/**
 * The organization with this ID while it is active. Whatever belongs to one that is not, is ended with it. Inside a work
 * it is guarded until the commit.
 */
export async function activeOrganization(
  reader: Reader,
  id: string,
): Promise<Document<LivingOrganization> | undefined> {
  const document = await findOrganization(reader, id)
  return document?.state.status === 'active' ? document : undefined
}

/** The organization that has verified this domain; undefined when none has. */
export async function findOrganizationByDomain(app: App, domain: string): Promise<string | undefined> {
  const canonical = canonicalDomain(domain)
  return canonical === undefined ? undefined : app.store.findClaimHolder(ORGANIZATION_DOMAIN_CLAIM, canonical)
}

/** The domain that a new organization has without proving one; undefined where there can be none. */
export async function freeDomain(
  { store, externalUrl }: App,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<string | undefined> {
  for (const domain of domainsFor(name, id, new URL(externalUrl).hostname)) {
    if ((await store.findClaimHolder(ORGANIZATION_DOMAIN_CLAIM, domain)) === undefined) return domain
  }
  return undefined
}

/** Whether there is such an organization, or was. */
export async function hasExisted(app: App, id: string): Promise<boolean> {
  return ((await app.store.get(organizations, id)) ?? (await app.store.getRemoved(organizations, id))) !== undefined
}

/**
 * Whether an organization has proven that it controls a domain. The one that it got by its name, below our host, is no
 * proof of anything.
 */
export function hasProvenDomain(
  { externalUrl }: Pick<App, 'externalUrl'>,
  organization: LivingOrganization,
  domain: string,
): boolean {
  const proven = ownDomainOf(organization, [domain])
  return proven !== undefined && !`.${proven}`.endsWith(`.${new URL(externalUrl).hostname}`)
}

/**
 * Why a caller cannot choose an ID for something in an organization; undefined when it can. Others may take an ID that reads
 * as an email address for one, so it must be in a domain that the organization has proven.
 */
export async function chosenIdProblem(
  app: Pick<App, 'externalUrl'>,
  reader: Reader,
  { kind, id, organizationId }: { readonly kind: ChosenKind; readonly id: string; readonly organizationId: string },
): Promise<string | undefined> {
  const problem = idProblem(kind, id)
  const domain = problem === undefined ? addressDomain(id) : undefined
  if (domain === undefined) return problem
  const organization = await findOrganization(reader, organizationId)
  if (organization !== undefined && hasProvenDomain(app, organization.state, domain)) return undefined
  return 'must not be an email address, unless the organization has verified its domain'
}

/** The first of these domains that the organization has verified, as it is written there. */
export function ownDomainOf(organization: LivingOrganization, domains: readonly string[]): string | undefined {
  const verified = verifiedDomains(organization)
  return domains.map(canonicalDomain).find((domain) => domain !== undefined && verified.includes(domain))
}
