/** The mail server in both families of methods: one kind behind them. */

import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { EmailProviderState, SMTPConfigState } from '../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { INSTANCE, withMails } from '../../../test/support/parts/mails.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { startSmtp } from '../../../test/support/smtp.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { findSmtpConfig } from './documents.ts'
import { passwordOf } from './smtp-server.ts'

const boss = { bearer: 'boss' }
const api = AdminService.method
const given = {
  senderAddress: 'mail@signet.example',
  senderName: 'The Sender',
  tls: true,
  host: 'mail.signet.example:587',
  user: 'mailer',
  password: 'right',
}

for (const engine of engines) {
  suite(`the mail server on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const passwordNow = async () => {
        const config = await findSmtpConfig(world.app)
        return config === undefined ? undefined : passwordOf(world.app, config)
      }
      return { ...world, passwordNow }
    }

    test('is added once, active at once, owned by the instance, and shown without its password', async (t) => {
      const { call, store, passwordNow } = await open(t)
      await isRefused(call(api.getSMTPConfig, {}, boss), 'mail.smtp_not_found')
      const added = await call(api.addSMTPConfig, given, boss)
      assert.equal(added.details?.resourceOwner, INSTANCE)
      assert.ok((added.details?.sequence ?? 0n) > 0n && added.details?.creationDate && added.details.changeDate)
      const { smtpConfig } = await call(api.getSMTPConfig, {}, boss)
      const { password: _, ...shown } = given
      const { id, state, senderAddress, senderName, tls, host, user } = smtpConfig ?? assert.fail('nothing')
      assert.deepEqual({ senderAddress, senderName, tls, host, user }, shown)
      assert.deepEqual([id, state], [added.id, SMTPConfigState.SMTP_CONFIG_ACTIVE])
      assert.equal(await passwordNow(), 'right')
      assert.doesNotMatch(JSON.stringify(await store.events({ limit: 50 })), /"right"/)
      await isRefused(call(api.addSMTPConfig, given, boss), 'mail.smtp_exists')
      await isRefused(call(api.addEmailProviderSMTP, given, boss), 'mail.smtp_exists')
      await isRefused(call(api.getSMTPConfigById, { id: 'other' }, boss), 'mail.smtp_not_found')
    })

    test('two who add it at once: one wins', async (t) => {
      const world = await open(t)
      const other = await world.another()
      const tries = await Promise.allSettled([
        world.call(api.addSMTPConfig, given, boss),
        other.call(api.addSMTPConfig, given, boss),
      ])
      assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const lost = tries.find((one) => one.status === 'rejected')
      assert.equal(lost?.reason instanceof Refused && lost.reason.code, 'mail.smtp_exists')
      assert.equal((await world.call(api.listSMTPConfigs, {}, boss)).result.length, 1)
    })

    test('removed, another may be added', async (t) => {
      const { call } = await open(t)
      const first = await call(api.addSMTPConfig, given, boss)
      await call(api.removeSMTPConfig, {}, boss)
      await isRefused(call(api.removeSMTPConfig, {}, boss), 'mail.smtp_not_found')
      await isRefused(call(api.getSMTPConfigById, { id: first.id }, boss), 'mail.smtp_not_found')
      assert.deepEqual((await call(api.listSMTPConfigs, {}, boss)).result, [])
      const second = await call(api.addSMTPConfig, given, boss)
      assert.notEqual(first.id, second.id)
      await call(api.removeEmailProvider, { id: second.id }, boss)
    })

    test('is replaced whole, but for a password that is not given', async (t) => {
      const { call, passwordNow, clock } = await open(t)
      const { id } = await call(api.addSMTPConfig, given, boss)
      clock.now = instant(clock.now + 1000)
      const { password: _, ...rest } = given
      await isRefused(call(api.updateSMTPConfig, rest, boss), 'mail.smtp_unchanged')
      await call(api.updateSMTPConfig, { ...rest, senderName: 'Another', id, replyToAddress: 'a@b.example' }, boss)
      assert.equal(await passwordNow(), 'right')
      await call(api.updateSMTPConfig, { ...rest, password: 'newer' }, boss)
      assert.equal(await passwordNow(), 'newer')
      const { smtpConfig } = await call(api.getSMTPConfig, {}, boss)
      assert.deepEqual([smtpConfig?.senderName, smtpConfig?.replyToAddress], ['The Sender', ''])
      await call(api.updateSMTPConfigPassword, { password: 'newest', id }, boss)
      assert.equal(await passwordNow(), 'newest')
      await call(api.updateSMTPConfigPassword, {}, boss)
      assert.equal(await passwordNow(), undefined)
      await isRefused(call(api.updateSMTPConfig, { ...rest, id: 'other' }, boss), 'mail.smtp_not_found')
      await isRefused(call(api.updateSMTPConfigPassword, { id: 'other' }, boss), 'mail.smtp_not_found')
    })

    test('keeps its password only for the server, user and encryption it was set for', async (t) => {
      const { call, passwordNow } = await open(t)
      const { id } = await call(api.addSMTPConfig, given, boss)
      const { password: _, ...rest } = given
      for (const other of [{ host: 'mail.elsewhere.example:587' }, { user: 'other' }, { tls: false }]) {
        const asked = { ...rest, ...other, id }
        await isRefused(call(api.updateSMTPConfig, asked, boss), 'mail.smtp_invalid', 'password')
        await isRefused(call(api.updateEmailProviderSMTP, asked, boss), 'mail.smtp_invalid', 'password')
      }
      assert.equal(await passwordNow(), 'right')
      await call(api.updateSMTPConfig, { ...rest, host: 'mail.elsewhere.example:587', password: 'again' }, boss)
      await call(api.updateSMTPConfigPassword, { id }, boss)
      await call(api.updateSMTPConfig, { ...rest, tls: false }, boss)
    })

    test('is active once it is added: it may be activated again, but not deactivated twice', async (t) => {
      const { call } = await open(t)
      const { id } = await call(api.addSMTPConfig, given, boss)
      const { smtpConfig: before } = await call(api.getSMTPConfigById, { id }, boss)
      await call(api.activateSMTPConfig, { id }, boss)
      await call(api.activateEmailProvider, { id }, boss)
      assert.deepEqual((await call(api.getSMTPConfigById, { id }, boss)).smtpConfig, before)
      await call(api.deactivateSMTPConfig, { id }, boss)
      await isRefused(call(api.deactivateEmailProvider, { id }, boss), 'mail.smtp_inactive')
      await isRefused(call(api.getEmailProvider, {}, boss), 'mail.smtp_not_found')
      const { config } = await call(api.getEmailProviderById, { id }, boss)
      assert.equal(config?.state, EmailProviderState.EMAIL_PROVIDER_INACTIVE)
      await call(api.activateEmailProvider, { id }, boss)
      await isRefused(call(api.activateSMTPConfig, { id: 'other' }, boss), 'mail.smtp_not_found')
    })

    test('in its later words, authentication is chosen, and a change of nothing is no mistake', async (t) => {
      const { call, passwordNow } = await open(t)
      const { password: _, ...rest } = given
      const plain = { case: 'plain', value: { password: 'plain' } } as const
      const { id } = await call(api.addEmailProviderSMTP, { ...rest, auth: plain }, boss)
      assert.equal(await passwordNow(), 'plain')
      const before = await call(api.getEmailProvider, {}, boss)
      const smtpOf = ({ config }: typeof before) =>
        config?.config.case === 'smtp' ? config.config.value : assert.fail('it is no SMTP server')
      assert.deepEqual([smtpOf(before).auth.case, smtpOf(before).user], ['plain', 'mailer'])
      const unchanged = await call(api.updateEmailProviderSMTP, { ...rest, id }, boss)
      assert.equal(unchanged.details?.sequence, before.config?.details?.sequence)
      const none = { case: 'none', value: {} } as const
      await call(api.updateEmailProviderSMTP, { ...rest, id, auth: none }, boss)
      assert.equal(await passwordNow(), undefined)
      const after = await call(api.getEmailProvider, {}, boss)
      assert.deepEqual([smtpOf(after).auth.case, smtpOf(after).user], ['none', ''])
      await call(api.updateEmailProviderSMTPPassword, { id, password: 'again' }, boss)
      assert.equal(await passwordNow(), 'again')
      assert.equal((await call(api.listEmailProviders, {}, boss)).details?.totalResult, 1n)
    })

    test('blanks around addresses and the host are not kept, and a host may be as long as the contract says', async (t) => {
      const { call } = await open(t)
      const host = `${'h'.repeat(200)}.${'i'.repeat(296)}:25`
      const wide = {
        senderAddress: ' robot@example.org ',
        replyToAddress: '\tdesk@example.org',
        host: ` ${host.slice(2)} `,
      }
      const { id } = await call(api.addSMTPConfig, { ...given, ...wide }, boss)
      const { smtpConfig } = await call(api.getSMTPConfig, {}, boss)
      const { senderAddress, replyToAddress, host: kept } = smtpConfig ?? assert.fail('nothing')
      assert.deepEqual([senderAddress, replyToAddress, kept], ['robot@example.org', 'desk@example.org', host.slice(2)])
      await call(api.updateSMTPConfig, { ...given, id, host }, boss)
      assert.equal((await call(api.getSMTPConfig, {}, boss)).smtpConfig?.host, host)
    })

    test('what cannot work is refused at once, every field by its name', async (t) => {
      const { call } = await open(t)
      const hosts = [
        'mail.example',
        'mail.example:',
        'mail.example:0',
        'mail.example:65536',
        '::1:25',
        '[::1]',
        'a b:25',
      ]
      for (const host of [
        ...hosts,
        'user@mail.example:25',
        'mail.example/x:25',
        '[127.0.0.1]:25',
        ':25',
        'mail.example:25x',
      ]) {
        await isRefused(call(api.addSMTPConfig, { ...given, host }, boss), 'mail.smtp_invalid', 'host')
      }
      const bad = { ...given, senderAddress: ' ', senderName: 'a\r\nBcc: x', host: 'x', user: 'a\nb', password: 'a\0b' }
      await isRefused(
        call(api.addSMTPConfig, { ...bad, replyToAddress: 'nobody' }, boss),
        'mail.smtp_invalid',
        ...['senderAddress', 'senderName', 'host', 'user', 'password', 'replyToAddress'],
      )
      for (const host of [
        'mail.example:25',
        '[2001:db8::1]:465',
        '192.0.2.1:587',
        'localhost:1025',
        'bücher.example:25',
      ]) {
        const { id } = await call(api.addSMTPConfig, { ...given, host }, boss)
        await call(api.removeSMTPConfig, { id }, boss)
      }
    })

    test('is tried by sending a mail, as it is set and as it could be set', async (t) => {
      const world = await open(t)
      const login = { user: 'mailer', password: 'right' }
      const server = await startSmtp({ login })
      afterwards(t, () => server.close())
      const other = await startSmtp({ login })
      afterwards(t, () => other.close())
      const { call } = world
      const settings = { ...given, tls: false, host: `127.0.0.1:${server.port}` }
      const receiverAddress = 'admin@signet.example'
      const { id } = await call(api.addSMTPConfig, settings, boss)
      await call(api.testSMTPConfigById, { id, receiverAddress }, boss)
      await call(api.testEmailProviderSMTPById, { id, receiverAddress }, boss)
      const { password: _, ...without } = settings
      await call(api.testSMTPConfig, { ...settings, receiverAddress }, boss)
      await call(api.testSMTPConfig, { ...without, id, receiverAddress }, boss)
      await call(api.testEmailProviderSMTP, { ...without, id, receiverAddress }, boss)
      assert.deepEqual(
        server.mails.map(({ to, user }) => [to[0], user]),
        Array.from({ length: 5 }, () => [receiverAddress, 'mailer']),
      )
      // The stored password goes to the server it was set for, and nowhere else.
      const elsewhere = { ...without, host: `127.0.0.1:${other.port}`, id, receiverAddress }
      await isRefused(call(api.testSMTPConfig, elsewhere, boss), 'mail.smtp_invalid', 'password')
      await isRefused(call(api.testEmailProviderSMTP, elsewhere, boss), 'mail.smtp_invalid', 'password')
      assert.equal(other.connections, 0)
    })

    test('a test that fails says why', async (t) => {
      const { call } = await open(t)
      const refusing = await startSmtp({ refuseRcpt: () => [550, 'not here'] })
      afterwards(t, () => refusing.close())
      const about = { ...given, tls: false, receiverAddress: 'a@b.example' }
      const reasonOf = (port: number) =>
        call(api.testSMTPConfig, { ...about, host: `127.0.0.1:${port}` }, boss).then(
          () => assert.fail('it was sent'),
          (error: unknown) =>
            error instanceof Refused ? `${error.code} ${error.kind} ${error.message}` : assert.fail(),
        )
      assert.match(await reasonOf(refusing.port), /^mail\.test_failed precondition .*550 not here/)
      assert.match(await reasonOf(await freePort()), /^mail\.test_failed precondition .*ECONNREFUSED/)
      await isRefused(
        call(api.testSMTPConfigById, { id: 'other', receiverAddress: 'a@b.example' }, boss),
        'mail.smtp_not_found',
      )
    })

    test('belongs to those who run the instance', async (t) => {
      const { call } = await open(t)
      await call(api.addSMTPConfig, given, boss)
      for (const bearer of ['north', 'manager']) {
        await isRefused(call(api.getSMTPConfig, {}, { bearer }), 'access.forbidden')
        await isRefused(call(api.addSMTPConfig, given, { bearer }), 'access.forbidden')
      }
      await call(api.getSMTPConfig, {}, { bearer: 'viewer' })
      await isRefused(call(api.removeSMTPConfig, {}, { bearer: 'viewer' }), 'access.forbidden')
    })
  })
}
