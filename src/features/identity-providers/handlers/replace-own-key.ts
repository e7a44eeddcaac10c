/** Replaces the key that signs requests to a SAML provider. */
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { identityProviders } from '../documents.ts'
import { identityProviderRefusals } from '../refusals.ts'
import { newOwnKey } from '../saml/own-key.ts'
import { type ProviderOwner, requireOwn, setSecret, type WrittenProvider } from './change-provider.ts'

/** Replaces the key and its certificate at once: the provider must be given the new one before it counts there. */
export async function replaceOwnKey(app: App, { origin, owner, by }: ProviderOwner, id: string): WrittenProvider {
  const { state } = await requireOwn(app, app.store, id, owner)
  if (state.connection.protocol !== 'saml') throw refused(identityProviderRefusals, 'identity_provider.other_type')
  const { own, pem } = await newOwnKey(app)
  return app.store.write(origin, async (work) => {
    await requireOwn(app, work, id, owner)
    await setSecret(app, work, { id, owner, secret: pem })
    return work.decide(identityProviders, id, { type: 'replace_own_key', by, own })
  })
}
