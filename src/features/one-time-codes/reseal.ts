/** Sealing again what this room sealed, when the key is replaced: secrets of apps and keys of recovery codes. */
import { keyIdOf, type Place } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { Resealer, Vault } from '../instances/index.ts'
import type { OneTimeCodes, OneTimeCodesCommand } from './decider.ts'
import { oneTimeCodes } from './documents.ts'
import { recoveryPlace } from './recovery.ts'
import { seedPlace } from './totp.ts'

interface Sealed {
  readonly place: Place
  readonly before: string
  command(after: string): OneTimeCodesCommand
}

function sealedIn(userId: string, { totp, recovery }: OneTimeCodes): readonly Sealed[] {
  const found: Sealed[] = []
  if (totp !== undefined) {
    const before = totp.secret.seed
    found.push({ place: seedPlace(userId), before, command: (seed) => ({ type: 'reseal_totp', before, seed }) })
  }
  if (recovery !== undefined) {
    const before = recovery.secret.key
    const command = (key: string) => ({ type: 'reseal_recovery_codes', before, key }) as const
    found.push({ place: recoveryPlace(userId), before, command })
  }
  return found
}

/** What the rotation of the key needs of this room. */
export function oneTimeCodeResealers(store: Store, clock: Clock): readonly Resealer[] {
  const resealOne = async (vault: Vault, keyId: string, userId: string, state: OneTimeCodes): Promise<number> => {
    const old = sealedIn(userId, state).filter(({ before }) => keyIdOf(before) !== keyId)
    for (const { place, before, command } of old) {
      const plain = await vault.open(place, before)
      await store.write({ actor: 'system', at: clock() }, async (work) => {
        if ((await work.get(oneTimeCodes, userId)) === undefined) return
        await work.decide(oneTimeCodes, userId, command(await vault.seal(work, place, plain)))
      })
    }
    return old.length
  }

  // People in the order of their ids, each once: what is added behind the walk is sealed with the new key already.
  let walk = { keyId: '', last: '' }
  return [
    {
      kind: oneTimeCodes.name,
      async reseal(vault, keyId, limit) {
        if (walk.keyId !== keyId) walk = { keyId, last: '' }
        for (;;) {
          const where = { field: 'id', above: walk.last } as const
          // Each person has two sealed values at most.
          const query = { where, orderBy: 'id', limit: Math.ceil(limit / 2) } as const
          const { documents } = await store.find(oneTimeCodes, query)
          let resealed = 0
          for (const { id, state } of documents) resealed += await resealOne(vault, keyId, id, state)
          const last = documents.at(-1)?.id
          if (last === undefined) return 0
          walk = { keyId, last }
          if (resealed > 0) return resealed
        }
      },
    },
  ]
}
