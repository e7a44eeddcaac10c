/** Sealing again what this room sealed, when the key is replaced: the password, the inbox, and the mails that wait. */
import { keyIdOf } from '../../crypto/seal.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { Resealer } from '../instances/index.ts'
import { findSmtpConfig, inboxMails, smtpConfigs } from './documents.ts'
import { MAIL_JOB, type MailJobData, valuesPlace } from './queue.ts'
import { passwordPlace } from './smtp-server-of.ts'

/** What the rotation of the key needs of this room. */
export function mailResealers(store: Store, clock: Clock): readonly Resealer[] {
  const origin = () => ({ actor: 'system', at: clock() })

  const passwords: Resealer = {
    kind: smtpConfigs.name,
    async reseal(vault, keyId) {
      const config = await findSmtpConfig(store)
      const before = config?.state.secret.password
      if (config === undefined || before === undefined || keyIdOf(before) === keyId) return 0
      const place = passwordPlace(config.id)
      const plain = await vault.open(place, before)
      await store.write(origin(), async (work) => {
        if ((await work.get(smtpConfigs, config.id)) === undefined) return
        const password = await vault.seal(work, place, plain)
        await work.decide(smtpConfigs, config.id, { type: 'reseal', before, password })
      })
      return 1
    },
  }

  const inbox: Resealer = {
    kind: inboxMails.name,
    async reseal(vault, keyId, limit) {
      const page = await store.find(inboxMails, { limit: 1000 })
      const old = page.documents
        .flatMap(({ id, state }) => (state.status === 'there' ? [{ id, before: state.secret.content }] : []))
        .filter(({ before }) => keyIdOf(before) !== keyId)
        .slice(0, limit)
      for (const { id, before } of old) {
        const place = { kind: inboxMails.name, id, member: 'content' }
        const plain = await vault.open(place, before)
        await store.write(origin(), async (work) => {
          if ((await work.get(inboxMails, id)) === undefined) return
          await work.decide(inboxMails, id, { type: 'reseal', before, content: await vault.seal(work, place, plain) })
        })
      }
      return old.length
    },
  }

  return [passwords, inbox, jobResealer(store, clock, MAIL_JOB, valuesPlace)]
}

/** Seals the values of waiting and parked jobs of a kind again; its data must hold them under `secret.values`. */
export function jobResealer(
  store: Store,
  clock: Clock,
  kind: string,
  placeOf: (jobId: string) => Parameters<Parameters<Resealer['reseal']>[0]['open']>[0],
): Resealer {
  return {
    kind,
    async reseal(vault, keyId, limit) {
      let found = 0
      for (let from: string | undefined; found < limit; ) {
        const jobs = await store.jobs.list({ kind, limit, ...(from === undefined ? {} : { from }) })
        for (const { id, data } of jobs) {
          const stored = data as Pick<MailJobData, 'secret'>
          if (keyIdOf(stored.secret.values) === keyId) continue
          const plain = await vault.open(placeOf(id), stored.secret.values)
          const sealed = await store.write({ actor: 'system', at: clock() }, (work) =>
            vault.seal(work, placeOf(id), plain),
          )
          await store.jobs.rewrite(id, { ...stored, secret: { values: sealed.value } })
          found++
        }
        from = jobs.at(-1)?.id
        if (jobs.length < limit) break
      }
      return found
    },
  }
}
