/** Adding, changing and removing providers, in whichever service's words it was asked. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work, Written } from '../../store/index.ts'
import { isLivingOrganization, organizationRefusals, organizations, type Sweep } from '../organizations/index.ts'
import { checkName, checkProvider } from './checks.ts'
import type { IdentityProvider, IdentityProviderCommand, OidcPart, ProviderChange } from './decider.ts'
import { findProvider, findProviderOf, identityProviders, providerSecrets, secretPlace } from './documents.ts'
import type { Styling } from './events.ts'
import { PROVIDER_REMOVED } from './jobs.ts'
import type { IdentityProvidersNeeds } from './needs.ts'
import { genericOidc } from './ready-made.ts'
import { identityProviderRefusals } from './refusals.ts'

/** A provider as it was just written. */
export type WrittenProvider = Promise<Written<Document<IdentityProvider>>>

/** Who asks, and for whose providers: an organization's or the instance's. */
export interface Asked {
  readonly origin: Origin
  readonly owner: string
}

/** Throws unless the owner of providers is the instance or an organization that exists. */
export async function requireOwner(work: Work, owner: string, instanceId: string): Promise<void> {
  if (owner === instanceId) return
  const organization = await work.get(organizations, owner)
  if (organization === undefined || !isLivingOrganization(organization.state)) {
    throw refused(organizationRefusals, 'organization.not_found')
  }
}

async function setSecret(
  { vault }: IdentityProvidersNeeds,
  work: Work,
  { id, owner, secret }: { readonly id: string; readonly owner: string; readonly secret: string },
): Promise<void> {
  const value = await vault.seal(work, secretPlace(id), secret)
  await work.decide(providerSecrets, id, { type: 'set', value }, owner)
}

/** A provider to be added. */
export interface NewProvider extends ProviderChange {
  readonly styling?: Styling
  readonly secret: string
}

/** Adds a provider, which is active at once. Nobody contacts it before somebody signs in. */
export function addProvider(
  needs: IdentityProvidersNeeds,
  { origin, owner }: Asked,
  { secret, styling = 'unspecified', ...provider }: NewProvider,
): WrittenProvider {
  checkProvider(provider)
  const id = needs.newId()
  return needs.store.write(origin, async (work) => {
    await requireOwner(work, owner, needs.instanceId)
    await setSecret(needs, work, { id, owner, secret })
    return work.decide(identityProviders, id, { type: 'add', owner, styling, ...provider }, owner)
  })
}

/** Does something to a provider of this owner; another's is not found. An empty secret leaves the old one. */
function changeOwn(
  needs: IdentityProvidersNeeds,
  { origin, owner }: Asked,
  id: string,
  command: IdentityProviderCommand,
  secret = '',
): WrittenProvider {
  return needs.store.write(origin, async (work) => {
    if ((await findProviderOf(work, id, [owner])) === undefined) {
      throw refused(identityProviderRefusals, 'identity_provider.not_found')
    }
    if (secret !== '') await setSecret(needs, work, { id, owner, secret })
    return work.decide(identityProviders, id, command)
  })
}

/** Replaces everything but styling and mappings; without a secret the old one stays. */
export function changeProvider(
  needs: IdentityProvidersNeeds,
  asked: Asked,
  id: string,
  { secret, ...change }: ProviderChange & { readonly secret: string },
): WrittenProvider {
  checkProvider(change)
  return changeOwn(needs, asked, id, { type: 'change', withSecret: secret !== '', ...change }, secret)
}

/** Replaces what the deprecated methods show of every provider; refused when nothing would change. */
export function changeDisplay(
  needs: IdentityProvidersNeeds,
  asked: Asked,
  id: string,
  display: { readonly name: string; readonly styling: Styling; readonly autoRegister: boolean },
): WrittenProvider {
  checkName(display.name)
  return changeOwn(needs, asked, id, { type: 'change_display', ...display })
}

/** Replaces what the deprecated methods show of an OpenID provider; refused when nothing would change. */
export function changeOidc(
  needs: IdentityProvidersNeeds,
  asked: Asked,
  id: string,
  { secret, ...part }: OidcPart & { readonly secret: string },
): WrittenProvider {
  const connection = genericOidc({ ...part, mapsIdToken: false, usesPkce: true })
  // The name stays, so any good one will do.
  checkProvider({ name: 'OpenID', connection })
  return changeOwn(needs, asked, id, { type: 'change_oidc', withSecret: secret !== '', ...part }, secret)
}

/** Lets people sign in with a provider, or not. */
export function switchProvider(
  needs: IdentityProvidersNeeds,
  asked: Asked,
  id: string,
  type: 'deactivate' | 'reactivate',
): WrittenProvider {
  return changeOwn(needs, asked, id, { type })
}

/** From the commit on nobody finds the provider; what led to it is ended afterwards, in batches, by a job. */
async function removeIn(work: Work, id: string): Promise<Document<IdentityProvider>> {
  const removed = await work.decide(identityProviders, id, { type: 'remove' })
  if ((await work.get(providerSecrets, id)) !== undefined) await work.decide(providerSecrets, id, { type: 'remove' })
  work.enqueue({ kind: PROVIDER_REMOVED, data: { providerId: id } })
  return removed
}

/** Removes a provider and its secret, and has every link and intent that led to it ended. */
export function removeProvider({ store }: IdentityProvidersNeeds, asked: Asked, id: string): WrittenProvider {
  return store.write(asked.origin, async (work) => {
    if ((await findProviderOf(work, id, [asked.owner])) === undefined) {
      throw refused(identityProviderRefusals, 'identity_provider.not_found')
    }
    return removeIn(work, id)
  })
}

/** Removes the providers of an organization that is no more. */
export function sweepProviders(store: Store): Sweep {
  return async (organizationId, origin, limit) => {
    const where = { field: 'owner', equals: organizationId } as const
    const { documents } = await store.find(identityProviders, { where, orderBy: 'id', limit })
    for (const { id } of documents) {
      await store.write(origin, async (work) => {
        if ((await findProvider(work, id)) !== undefined) await removeIn(work, id)
      })
    }
    return documents.length
  }
}
