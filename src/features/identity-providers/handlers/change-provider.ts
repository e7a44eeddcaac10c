/** Adds, changes, activates and deactivates identity providers. */
import type { App } from '../../../access/app.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { checkName, checkProvider } from '../check-provider.ts'
import {
  type IdentityProvider,
  type IdentityProviderCommand,
  isLiving,
  type OidcPart,
  type ProviderChange,
} from '../decider.ts'
import { findProvider, findProviderOf, identityProviders, providerSecrets, secretPlace } from '../documents.ts'
import type { Styling } from '../events.ts'
import { PROVIDER_ACCOUNTS_REPLACED } from '../jobs.ts'
import { genericOidc } from '../ready-made.ts'
import { identityProviderRefusals } from '../refusals.ts'

/** A provider as it was just written. */
export type WrittenProvider = Promise<Written<Document<IdentityProvider>>>

/** Who changes providers, and whose: an organization's or the instance's. */
export interface ProviderOwner {
  readonly origin: Origin
  readonly owner: string
}

/** Throws unless the owner of providers is the instance or an organization that exists. */
export async function requireOwner(app: App, work: Work, owner: string): Promise<void> {
  if (owner !== app.instanceId) await requireOrganization(app, owner, work)
}

/** Throws unless the provider exists and belongs to this owner; another owner's is not found. */
export async function requireOwn(app: App, work: Work, id: string, owner: string): Promise<void> {
  if ((await findProviderOf(app, id, [owner], work)) !== undefined) return
  throw refused(identityProviderRefusals, 'identity_provider.not_found')
}

async function setSecret(
  app: App,
  work: Work,
  { id, owner, secret }: { readonly id: string; readonly owner: string; readonly secret: string },
): Promise<void> {
  const value = await app.vault.seal(work, secretPlace(id), secret)
  await work.decide(providerSecrets, id, { type: 'set', value }, owner)
}

/** A provider to be added. */
export interface NewProvider extends ProviderChange {
  readonly styling?: Styling
  readonly secret: string
}

/** Adds a provider, which is active at once. It is not contacted before a user signs in with it. */
export function addProvider(
  app: App,
  { origin, owner }: ProviderOwner,
  { secret, styling = 'unspecified', ...provider }: NewProvider,
): WrittenProvider {
  checkProvider(provider)
  const id = app.newId()
  return app.store.write(origin, async (work) => {
    await requireOwner(app, work, owner)
    await setSecret(app, work, { id, owner, secret })
    return work.decide(identityProviders, id, { type: 'add', owner, styling, ...provider }, owner)
  })
}

/** Changes a provider of this owner. An empty secret leaves the old one. */
function changeOwn(
  app: App,
  { origin, owner }: ProviderOwner,
  id: string,
  command: IdentityProviderCommand,
  secret = '',
): WrittenProvider {
  return app.store.write(origin, async (work) => {
    await requireOwn(app, work, id, owner)
    if (secret !== '') await setSecret(app, work, { id, owner, secret })
    const before = await findProvider(app, id, work)
    const changed = await work.decide(identityProviders, id, command)
    if (isLiving(changed.state) && changed.state.accountsVersion !== before?.state.accountsVersion) {
      work.enqueue({ kind: PROVIDER_ACCOUNTS_REPLACED, data: { providerId: id } })
    }
    return changed
  })
}

/** Replaces everything but styling and mappings; without a secret the old one stays. */
export function changeProvider(
  app: App,
  by: ProviderOwner,
  id: string,
  { secret, ...change }: ProviderChange & { readonly secret: string },
): WrittenProvider {
  checkProvider(change)
  return changeOwn(app, by, id, { type: 'change', withSecret: secret !== '', ...change }, secret)
}

/** Replaces what the deprecated methods show of every provider; refused when nothing would change. */
export function changeDisplay(
  app: App,
  by: ProviderOwner,
  id: string,
  display: { readonly name: string; readonly styling: Styling; readonly autoRegister: boolean },
): WrittenProvider {
  checkName(display.name)
  return changeOwn(app, by, id, { type: 'change_display', ...display })
}

/** Replaces what the deprecated methods show of an OpenID provider; refused when nothing would change. */
export function changeOidc(
  app: App,
  by: ProviderOwner,
  id: string,
  { secret, ...part }: OidcPart & { readonly secret: string },
): WrittenProvider {
  const connection = genericOidc({ ...part, mapsIdToken: false, usesPkce: true })
  // The name stays, so any good one will do.
  checkProvider({ name: 'OpenID', connection })
  return changeOwn(app, by, id, { type: 'change_oidc', withSecret: secret !== '', ...part }, secret)
}

/** Lets users sign in with a provider, or not. */
export function switchProvider(
  app: App,
  by: ProviderOwner,
  id: string,
  type: 'deactivate' | 'reactivate',
): WrittenProvider {
  return changeOwn(app, by, id, { type })
}
