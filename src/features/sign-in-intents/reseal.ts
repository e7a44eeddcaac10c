/** Sealing again what open sign-ins hold, when the key is replaced. One that is over is never opened again. */
import { keyIdOf } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { Resealer } from '../instances/index.ts'
import type { Intent } from './decider.ts'
import { handshakePlace, identityPlace, intents } from './documents.ts'

function sealedOf(id: string, state: Intent) {
  if (state.status === 'started') return { place: handshakePlace(id), before: state.secret.handshake }
  if (state.status === 'succeeded') return { place: identityPlace(id), before: state.secret.identity }
  return undefined
}

const AT_ONCE = 500

/** What the rotation of the key needs of this room. */
export function intentResealers(store: Store, clock: Clock): readonly Resealer[] {
  return [
    {
      kind: intents.name,
      async reseal(vault, keyId, limit) {
        let resealed = 0
        // The same for all pages: what expires meanwhile must not move those that follow to a page that was read.
        const where = { field: 'expiresAt', above: clock() } as const
        for (let offset = 0, more = true; more && resealed < limit; offset += AT_ONCE) {
          const { documents } = await store.find(intents, { where, orderBy: 'id', limit: AT_ONCE, offset })
          more = documents.length === AT_ONCE
          for (const { id, state } of documents) {
            const sealed = sealedOf(id, state)
            if (sealed === undefined || keyIdOf(sealed.before) === keyId || resealed >= limit) continue
            const { place, before } = sealed
            const plain = await vault.open(place, before)
            await store.write({ actor: 'system', at: clock() }, async (work) => {
              // It may have left the log since it was found.
              if ((await work.get(intents, id)) === undefined) return
              const after = await vault.seal(work, place, plain)
              await work.decide(intents, id, { type: 'reseal', before, after })
            })
            resealed++
          }
        }
        return resealed
      },
    },
  ]
}
