/** What must stay secret is looked for wherever it could have been left. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { openMailHouse, until } from '../../../test/support/mail-house.ts'
import { startSmtp } from '../../../test/support/smtp.ts'
import { newId } from '../../kernel/id.ts'
import { rotateDataKey } from '../instances/index.ts'
import { mailResealers } from './reseal.ts'
import { publicLink } from './url-template.ts'

const boss = { bearer: 'boss' }
const patient = { timeout: 120_000 }

function settings(port: number) {
  return {
    senderAddress: 'house@signet.example',
    senderName: 'The House',
    host: `127.0.0.1:${port}`,
  }
}

/** Every byte of the database in which `marker` stands, as text. */
async function databaseTexts(marker: string): Promise<readonly string[]> {
  const files = await Array.fromAsync(glob(join(tmpdir(), 'signet-store-*/signet.db*')))
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
  const own = texts.filter((text) => text.includes(marker))
  assert.ok(own.length > 0, 'the database of this test was not found')
  return own
}

for (const engine of engines) {
  suite(`secrets of mail on ${engine.name}`, () => {
    test('neither password nor code nor link is anywhere in plain text', patient, async (t) => {
      const password = 'canary-password-7319'
      const code = 'CANARYCODE77'
      const link = publicLink('https://signet.example', '/verify?code={{.Code}}', { Code: code })
      const house = await openMailHouse({ engine })
      afterwards(t, () => house.dispose())
      let quoted = `${code} ${link} ${password}`
      const server = await startSmtp({
        login: { user: 'house', password },
        refuseData: () => [554, `refused ${quoted}`],
      })
      afterwards(t, () => server.close())
      const replies: unknown[] = []
      const login = { user: 'house', password }
      replies.push(await house.call(AdminService.method.addSMTPConfig, { ...settings(server.port), ...login }, boss))
      const runner = house.run()
      afterwards(t, () => runner.stop())
      const to = `${newId()}@mouse.example`
      await house.ask({ to, values: { displayName: 'Mini', code, link } })
      await until(async () => (await house.store.jobs.count('mail')).parked === 1)
      quoted = password
      const { getSMTPConfig, listSMTPConfigs, getEmailProvider, listEmailProviders, testSMTPConfigById } =
        AdminService.method
      const { smtpConfig } = await house.call(getSMTPConfig, {}, boss)
      replies.push(
        smtpConfig,
        await house.call(listSMTPConfigs, {}, boss),
        await house.call(getEmailProvider, {}, boss),
        await house.call(listEmailProviders, {}, boss),
        await house.call(MailService.method.listParkedMails, {}, boss),
        await house
          .call(testSMTPConfigById, { id: smtpConfig?.id ?? '', receiverAddress: 'a@b.example' }, boss)
          .catch((error: unknown) => String(error)),
      )
      const seen = [
        JSON.stringify(replies, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
        JSON.stringify(house.failures.map(({ error, ...failure }) => [failure, String(error), (error as Error).stack])),
        JSON.stringify(await house.store.events({ limit: 100 })),
        JSON.stringify(await house.store.jobs.list({ kind: 'mail', limit: 10 })),
        ...(engine.name === 'sqlite' ? await databaseTexts(to) : []),
      ]
      assert.ok(seen.length >= 4)
      for (const text of seen) assert.doesNotMatch(text, /canary|CANARYCODE/i)
      assert.match(seen[0] ?? '', /554 refused \[secret\]/)
    })

    test('neither is what a mail in the inbox says', patient, async (t) => {
      const house = await openMailHouse({ engine })
      afterwards(t, () => house.dispose())
      const runner = house.run()
      afterwards(t, () => runner.stop())
      const to = `${newId()}@mouse.example`
      await house.ask({ to, values: { displayName: 'Mini', code: 'CANARYCODE77' } })
      await until(() => house.mail.counts.inbox === 1)
      const { mails } = await house.call(MailService.method.listInboxMails, {}, boss)
      assert.match(mails[0]?.text ?? '', /CANARYCODE77/)
      assert.doesNotMatch(JSON.stringify(await house.store.events({ limit: 100 })), /CANARYCODE/)
      if (engine.name === 'sqlite') for (const text of await databaseTexts(to)) assert.doesNotMatch(text, /CANARYCODE/)
    })

    test('a new key seals the password, the inbox and the mails that wait anew', patient, async (t) => {
      const house = await openMailHouse({ engine })
      afterwards(t, () => house.dispose())
      const inboxRunner = house.run()
      await house.ask({ to: 'inbox@mouse.example' })
      await until(() => house.mail.counts.inbox === 1)
      await inboxRunner.stop()
      const login = { user: 'house', password: 'right' }
      const server = await startSmtp({ login })
      afterwards(t, () => server.close())
      await house.call(AdminService.method.addSMTPConfig, { ...settings(server.port), ...login }, boss)
      for (let number = 0; number < 3; number++) await house.ask({ to: `waiting${number}@mouse.example` })

      const { removedKeyIds, resealed } = await rotateDataKey({
        store: house.store,
        masterKeys: house.masterKeys,
        instanceId: 'instance',
        origin: { actor: 'system', at: house.clock.now },
        resealers: mailResealers(house.store, () => house.clock.now),
      })
      assert.deepEqual([removedKeyIds.length, resealed], [1, 5])

      // A process that never knew the old key.
      const fresh = await house.another()
      const runner = fresh.run()
      afterwards(t, () => runner.stop())
      await until(() => server.mails.length === 3)
      assert.equal((await fresh.call(MailService.method.listInboxMails, {}, boss)).mails[0]?.to, 'inbox@mouse.example')
    })
  })
}
