/** The secrets of providers: opened for whoever signs people in, sealed again when the key is replaced. */
import { sealedWith } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { Resealer, Vault } from '../instances/index.ts'
import { providerSecrets, secretPlace } from './documents.ts'

/** The secret of a provider as it was given (of Apple: the private key, PEM); undefined when there is none. */
export async function openProviderSecret(
  { store, vault }: { readonly store: Store; readonly vault: Vault },
  providerId: string,
): Promise<string | undefined> {
  const document = await store.get(providerSecrets, providerId)
  return document?.state.status === 'set' ? vault.open(secretPlace(providerId), document.state.secret.value) : undefined
}

/** What the rotation of the key needs of this room. */
export function identityProviderResealers(store: Store, clock: Clock): readonly Resealer[] {
  return [
    {
      kind: providerSecrets.name,
      async reseal(vault, keyId, limit) {
        const where = { not: { field: 'sealed', startsWith: sealedWith(keyId) } } as const
        const { documents } = await store.find(providerSecrets, { where, orderBy: 'id', limit })
        for (const { id, state } of documents) {
          if (state.status !== 'set') continue
          const before = state.secret.value
          const plain = await vault.open(secretPlace(id), before)
          await store.write({ actor: 'system', at: clock() }, async (work) => {
            if ((await work.get(providerSecrets, id)) === undefined) return
            const value = await vault.seal(work, secretPlace(id), plain)
            await work.decide(providerSecrets, id, { type: 'reseal', before, value })
          })
        }
        return documents.length
      },
    },
  ]
}
