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
import { until, withMails } from '../../../test/support/parts/mails.ts'
import { startSmtp } from '../../../test/support/smtp.ts'
import { openWorld } from '../../../test/support/world.ts'
import { newId } from '../../kernel/id.ts'
import { rotateDataKey } from '../instances/index.ts'
import { mailModule } from './index.ts'
import { mailCounts } from './jobs.ts'
import { publicLink } from './url-template.ts'

const boss = { bearer: 'boss' }
const patient = { timeout: 600_000 }

function settings(port: number) {
  return {
    senderAddress: 'mail@signet.example',
    senderName: 'The Sender',
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
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      let quoted = `${code} ${link} ${password}`
      const server = await startSmtp({
        login: { user: 'mailer', password },
        refuseData: () => [554, `refused ${quoted}`],
      })
      afterwards(t, () => server.close())
      const replies: unknown[] = []
      const login = { user: 'mailer', password }
      replies.push(await world.call(AdminService.method.addSMTPConfig, { ...settings(server.port), ...login }, boss))
      const runner = world.run()
      afterwards(t, () => runner.stop())
      const to = `${newId()}@mouse.example`
      await world.ask({ to, values: { displayName: 'Mini', code, link } })
      await until(async () => (await world.store.jobs.count('mail')).parked === 1)
      quoted = password
      const { getSMTPConfig, listSMTPConfigs, getEmailProvider, listEmailProviders, testSMTPConfigById } =
        AdminService.method
      const { smtpConfig } = await world.call(getSMTPConfig, {}, boss)
      replies.push(
        smtpConfig,
        await world.call(listSMTPConfigs, {}, boss),
        await world.call(getEmailProvider, {}, boss),
        await world.call(listEmailProviders, {}, boss),
        await world.call(MailService.method.listParkedMails, {}, boss),
        await world
          .call(testSMTPConfigById, { id: smtpConfig?.id ?? '', receiverAddress: 'a@b.example' }, boss)
          .catch((error: unknown) => String(error)),
      )
      const seen = [
        JSON.stringify(replies, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
        JSON.stringify(world.failures.map(({ error, ...failure }) => [failure, String(error), (error as Error).stack])),
        JSON.stringify(await world.store.events({ limit: 100 })),
        JSON.stringify(await world.store.jobs.list({ kind: 'mail', limit: 10 })),
        ...(engine.name === 'sqlite' ? await databaseTexts(to) : []),
      ]
      assert.ok(seen.length >= 4)
      for (const text of seen) assert.doesNotMatch(text, /canary|CANARYCODE/i)
      assert.match(seen[0] ?? '', /554 refused \[secret\]/)
    })

    test('neither is what a mail in the inbox says', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const runner = world.run()
      afterwards(t, () => runner.stop())
      const to = `${newId()}@mouse.example`
      await world.ask({ to, values: { displayName: 'Mini', code: 'CANARYCODE77' } })
      await until(() => mailCounts(world.app).inbox === 1)
      const { mails } = await world.call(MailService.method.listInboxMails, {}, boss)
      assert.match(mails[0]?.text ?? '', /CANARYCODE77/)
      assert.doesNotMatch(JSON.stringify(await world.store.events({ limit: 100 })), /CANARYCODE/)
      if (engine.name === 'sqlite') for (const text of await databaseTexts(to)) assert.doesNotMatch(text, /CANARYCODE/)
    })

    test('a new key seals the password, the inbox and the mails that wait anew', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const inboxRunner = world.run()
      await world.ask({ to: 'inbox@mouse.example' })
      await until(() => mailCounts(world.app).inbox === 1)
      await inboxRunner.stop()
      const login = { user: 'mailer', password: 'right' }
      const server = await startSmtp({ login })
      afterwards(t, () => server.close())
      await world.call(AdminService.method.addSMTPConfig, { ...settings(server.port), ...login }, boss)
      for (let number = 0; number < 3; number++) await world.ask({ to: `waiting${number}@mouse.example` })

      const { removedKeyIds, resealed } = await rotateDataKey({
        ...world.app,
        masterKeys: world.masterKeys,
        sealedJobs: mailModule.sealedJobs ?? [],
      })
      assert.deepEqual([removedKeyIds.length, resealed], [1, 5])

      // A process that never knew the old key.
      const fresh = await world.another()
      const runner = fresh.run()
      afterwards(t, () => runner.stop())
      await until(() => server.mails.length === 3)
      assert.equal((await fresh.call(MailService.method.listInboxMails, {}, boss)).mails[0]?.to, 'inbox@mouse.example')
    })
  })
}
