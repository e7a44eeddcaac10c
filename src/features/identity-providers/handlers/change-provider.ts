/** Adds, changes, activates and deactivates identity providers. */

import type { Reach } from '../../../access/paths.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Reader, Work, Written } from '../../../store/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { checkName, checkProvider, requireSameAddresses } from '../check-provider.ts'
import { oidcConnection } from '../connections.ts'
import {
  type IdentityProvider,
  type IdentityProviderCommand,
  isLiving,
  type JwtPart,
  type LivingProvider,
  type OidcPart,
  type ProviderChange,
} from '../decider.ts'
import { findProviderOf, identityProviders, providerSecrets, secretPlace } from '../documents.ts'
import type { Styling } from '../events.ts'
import { PROVIDER_ACCOUNTS_REPLACED } from '../jobs.ts'
import { identityProviderRefusals } from '../refusals.ts'

/** A provider as it was just written. */
export type WrittenProvider = Promise<Written<Document<IdentityProvider>>>

/** The caller and the owner of the providers: an organization or the instance. */
export interface ProviderOwner {
  readonly origin: Origin
  readonly owner: string
  /** How far the caller reaches there. */
  readonly by: Reach
}

/** Throws unless the owner is the instance or an existing organization. */
export async function requireOwner(app: App, work: Work, owner: string): Promise<void> {
  if (owner !== app.instanceId) await requireOrganization(app, owner, work)
}

/** Throws unless the provider exists and belongs to this owner; another owner's is not found. */
export async function requireOwn(app: App, work: Reader, id: string, owner: string): Promise<Document<LivingProvider>> {
  const provider = await findProviderOf(app, id, [owner], work)
  if (provider === undefined) throw refused(identityProviderRefusals, 'identity_provider.not_found')
  return provider
}

/** Seals the secret of a provider. */
export async function setSecret(
  app: App,
  work: Work,
  { id, owner, secret }: { readonly id: string; readonly owner: string; readonly secret: string },
): Promise<void> {
  const value = await app.vault.seal(work, secretPlace(id), secret)
  await work.decide(providerSecrets, id, { type: 'set', value }, owner)
}

/** A new provider. */
export interface NewProvider extends ProviderChange {
  readonly styling?: Styling
  readonly secret: string
}

/** Adds a provider, which is active immediately. It is not contacted before a user signs in with it. */
export function addProvider(
  app: App,
  { origin, owner, by }: ProviderOwner,
  { secret, styling = 'unspecified', ...provider }: NewProvider,
): WrittenProvider {
  checkProvider(provider)
  return app.store.write(origin, async (work) => {
    await requireOwner(app, work, owner)
    const id = await work.unusedId(identityProviders, app.newId)
    if (secret !== '') await setSecret(app, work, { id, owner, secret })
    return work.decide(identityProviders, id, { type: 'add', by, owner, styling, ...provider }, owner)
  })
}

/** Changes a provider of this owner. An empty secret leaves the old one, which stays with the addresses it was set for. */
function changeOwn(
  app: App,
  { origin, owner, by }: ProviderOwner,
  id: string,
  command: IdentityProviderCommand,
  secret = '',
): WrittenProvider {
  return app.store.write(origin, async (work) => {
    const before = await requireOwn(app, work, id, owner)
    if (secret !== '') await setSecret(app, work, { id, owner, secret })
    const after = await work.decide(identityProviders, id, { ...command, by })
    if (!isLiving(after.state)) return after
    if (secret === '') requireSameAddresses(before.state.connection, after.state.connection)
    if (after.state.accountsVersion !== before.state.accountsVersion) {
      work.enqueue({ kind: PROVIDER_ACCOUNTS_REPLACED, data: { providerId: id } })
    }
    return after
  })
}

/** Replaces everything except styling and mappings. Without a secret, the current one is kept. */
export function changeProvider(
  app: App,
  by: ProviderOwner,
  id: string,
  { secret, ...change }: ProviderChange & { readonly secret: string },
): WrittenProvider {
  checkProvider(change)
  return changeOwn(app, by, id, { type: 'change', withSecret: secret !== '', ...change }, secret)
}

/** Turns a generic OpenID provider into one of another type. Problems name the fields of the request after a prefix. */
export function migrateProvider(
  app: App,
  by: ProviderOwner,
  id: string,
  { secret, ...change }: ProviderChange & { readonly secret: string },
  prefix: string,
): WrittenProvider {
  checkProvider(change, prefix)
  return changeOwn(app, by, id, { type: 'migrate', ...change }, secret)
}

/** Replaces the display settings of the deprecated methods; refused when nothing would change. */
export function changeDisplay(
  app: App,
  by: ProviderOwner,
  id: string,
  display: { readonly name: string; readonly styling: Styling; readonly autoRegister: boolean },
): WrittenProvider {
  checkName(display.name)
  return changeOwn(app, by, id, { type: 'change_display', ...display })
}

/** Replaces the OpenID settings of the deprecated methods; refused when nothing would change. */
export function changeOidc(
  app: App,
  by: ProviderOwner,
  id: string,
  { secret, ...given }: Omit<OidcPart, 'protocol'> & { readonly secret: string },
): WrittenProvider {
  const part: OidcPart = { protocol: 'oidc', ...given }
  const connection = oidcConnection('oidc', part)
  // The name does not change, so any valid one will do.
  checkProvider({ name: 'OpenID', connection })
  return changeOwn(app, by, id, { type: 'change_part', withSecret: secret !== '', part }, secret)
}

/** Replaces what the deprecated methods set of a provider with signed tokens; refused when nothing would change. */
export function changeJwt(app: App, by: ProviderOwner, id: string, part: JwtPart): WrittenProvider {
  checkProvider({ name: 'JWT', connection: part })
  return changeOwn(app, by, id, { type: 'change_part', withSecret: false, part })
}

/** Activates or deactivates a provider. */
export function switchProvider(
  app: App,
  by: ProviderOwner,
  id: string,
  type: 'deactivate' | 'reactivate',
): WrittenProvider {
  return changeOwn(app, by, id, { type })
}
