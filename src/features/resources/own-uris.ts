/**
 * Whose the URI of a resource is: tokens name it as audience, and the server there accepts them. URIs from before an
 * organization had to prove the host stay until they are left out.
 */
import { refused } from '../../kernel/refusal.ts'
import { resourceKey, spellingsOf } from '../../kernel/resource-key.ts'
import type { App } from '../../module/app.ts'
import { CLIENT_ID_CLAIM, RESOURCE_CLAIM } from '../../module/token-party.ts'
import type { Work } from '../../store/index.ts'
import { findOrganizationByDomain, hasProvenDomain, requireOrganization } from '../organizations/index.ts'
import { projects } from '../projects/index.ts'
import { resourceRefusals } from './refusals.ts'

/** A URI that a project did not have, and the field that names it. */
export interface FreshUri {
  readonly uri: string
  readonly field: string
}

/** Throws when tokens name something else by this text: a project or a client. */
export async function requireFree({ store }: App, work: Work, uri: string): Promise<void> {
  const isTaken = (await work.get(projects, uri)) ?? (await store.findClaimHolder(CLIENT_ID_CLAIM, uri))
  if (isTaken !== undefined) throw refused(resourceRefusals, 'resource.uri_taken')
}

/** Throws when a resource of another project, or of the list that is set, is this one in another spelling. */
export async function requireOneSpelling(
  { store }: App,
  uri: string,
  list: { readonly projectId: string; readonly uris: readonly string[] },
): Promise<void> {
  const others = spellingsOf(uri).filter((one) => one !== resourceKey(uri))
  if (list.uris.some((one) => others.includes(resourceKey(one)))) throw refused(resourceRefusals, 'resource.invalid')
  const holders = await Promise.all(others.map((one) => store.findClaimHolder(RESOURCE_CLAIM, one)))
  const isTaken = holders.some((holder) => holder !== undefined && holder !== list.projectId)
  if (isTaken) throw refused(resourceRefusals, 'resource.uri_taken')
}

/** The host of a URI and the domains around it, the closest first. */
function domainsOf(uri: string): readonly string[] {
  const labels = new URL(uri).hostname.replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** Whether the organization has proven the host. Of several verified domains that a host is in, the closest one decides. */
async function hasProvenHost(app: App, work: Work, organizationId: string, uri: string): Promise<boolean> {
  for (const domain of domainsOf(uri)) {
    const holder = await findOrganizationByDomain(app, domain)
    if (holder === undefined) continue
    const { state } = await requireOrganization(app, organizationId, work)
    return holder === organizationId && hasProvenDomain(app, state, domain)
  }
  return false
}

/** Throws unless the organization has proven the hosts of all URIs. Nobody can prove an IP address or `localhost`. */
export async function requireOwnHost(
  app: App,
  work: Work,
  organizationId: string,
  fresh: readonly FreshUri[],
): Promise<void> {
  const isProven = await Promise.all(fresh.map(({ uri }) => hasProvenHost(app, work, organizationId, uri)))
  const violations = fresh.flatMap(({ field }, index) =>
    isProven[index]
      ? []
      : [
          {
            field,
            description:
              'must be in a domain that the organization has verified, or be set by an owner of the instance',
          },
        ],
  )
  if (violations.length > 0) throw refused(resourceRefusals, 'resource.host_not_proven', { violations })
}
