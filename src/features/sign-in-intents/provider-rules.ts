/**
 * Whether users can sign in with an identity provider now. Inside a work, the read documents are guarded until the
 * commit.
 */
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import { findProvider, type OpenedProvider } from '../identity-providers/index.ts'
import { activeOrganization } from '../organizations/index.ts'
import { effectiveSettings, settingsOfUser } from '../settings/index.ts'

/** The data that decides whether users can sign in with a provider. */
export type ProviderState = Pick<OpenedProvider, 'owner' | 'state'>

/** The state of a provider, without its secret; undefined when there is none. */
export async function providerState(app: App, idpId: string, reader: Reader): Promise<ProviderState | undefined> {
  const provider = await findProvider(app, idpId, reader)
  return provider && { owner: provider.owner, state: provider.state.status }
}

/** Why users cannot sign in with a provider now; undefined when they can. */
export async function providerProblem(
  { store, instanceId }: App,
  provider: ProviderState | undefined,
  reader: Reader = store,
): Promise<'provider_inactive' | 'organization_inactive' | undefined> {
  if (provider?.state !== 'active') return 'provider_inactive'
  const { owner } = provider
  if (owner === instanceId || (await activeOrganization(reader, owner)) !== undefined) return undefined
  return 'organization_inactive'
}

/** Whether the login policy lets a user, or new users of an organization, sign in with a provider. */
export async function isOffered(
  app: App,
  idpId: string,
  { organizationId, userId }: { readonly organizationId: string; readonly userId?: string },
  reader: Reader,
): Promise<boolean> {
  const { withheldProviders } =
    userId === undefined
      ? await effectiveSettings(app, organizationId, reader)
      : await settingsOfUser(app, { userId, organizationId }, reader)
  return !withheldProviders.includes(idpId)
}
