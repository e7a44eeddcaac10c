/** Sealing again what this room sealed, when the key is replaced: signing keys, and the messages that wait. */
import { keyIdOf } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { Resealer } from '../instances/index.ts'
import { jobResealer } from '../mail/index.ts'
import { isLiving } from './decider.ts'
import { smsProviders } from './documents.ts'
import { signingKeyPlace } from './jobs.ts'
import { codePlace, SMS_JOB } from './queue.ts'

/** More webhooks than anybody has. */
const ALL = 1000

/** What the rotation of the key needs of this room. */
export function smsResealers(store: Store, clock: Clock): readonly Resealer[] {
  const signingKeys: Resealer = {
    kind: smsProviders.name,
    async reseal(vault, keyId, limit) {
      const page = await store.find(smsProviders, { limit: ALL })
      const old = page.documents
        .flatMap(({ id, state }) => (isLiving(state) ? [{ id, before: state.secret.signingKey }] : []))
        .filter(({ before }) => keyIdOf(before) !== keyId)
        .slice(0, limit)
      for (const { id, before } of old) {
        const plain = await vault.open(signingKeyPlace(id), before)
        await store.write({ actor: 'system', at: clock() }, async (work) => {
          if ((await work.get(smsProviders, id)) === undefined) return
          const signingKey = await vault.seal(work, signingKeyPlace(id), plain)
          await work.decide(smsProviders, id, { type: 'reseal', before, signingKey })
        })
      }
      return old.length
    },
  }
  return [signingKeys, jobResealer(store, clock, SMS_JOB, codePlace)]
}
