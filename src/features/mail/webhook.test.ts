/** Emails by webhook: what reaches it, when it is tried again, and what is active beside it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { EmailProviderState } from '../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { settled, until, withMails } from '../../../test/support/parts/mails.ts'
import { signatureOf, startReceiver } from '../../../test/support/receiver.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { startRaw } from '../../../test/support/smtp.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { openGuardedFetch } from '../../outbound/fetch.ts'
import type { Resolve } from '../../outbound/lookup.ts'
import { rotateDataKey } from '../instances/index.ts'
import { mailCounts } from './jobs.ts'
import { publicLink } from './url-template.ts'
import { openPost } from './webhook.ts'

const boss = { bearer: 'boss' }
const api = AdminService.method
const patient = { timeout: 600_000 }
const server = { senderAddress: 'mail@signet.example', senderName: 'Signet', host: '127.0.0.1:1' }

for (const engine of bothEngines) {
  suite(`emails by webhook on ${engine.name}`, () => {
    const open = async (t: TestContext, allowsPrivate = true) => {
      const world = await openWorld({ engine }, withMails({ allowsPrivate }))
      afterwards(t, () => world.dispose())
      const runner = world.run()
      afterwards(t, () => runner.stop())
      return world
    }

    const openWith = async (t: TestContext, ...answers: number[]) => {
      const receiver = await startReceiver(t, ...answers)
      const world = await open(t)
      const about = { endpoint: receiver.url, description: 'Ours' }
      const added = await world.call(api.addEmailProviderHTTP, about, boss)
      await world.call(api.activateEmailProvider, { id: added.id }, boss)
      return { world, received: receiver.received, ...added, ...about }
    }

    test('it gets the parts of the email and what they were filled with, signed', patient, async (t) => {
      const { world, received, id, signingKey } = await openWith(t)
      const link = publicLink(world.app.externalUrl, '/verify?code={{.Code}}', { Code: 'ABC234' })
      const values = { displayName: 'Mini Mouse', userName: 'mini', firstName: 'Mini', code: 'ABC234', link }
      await world.ask({ language: 'de', values })
      await settled(world.store, 'mail')
      const call = received[0] ?? assert.fail('nothing')
      const { headers, body, path } = call
      assert.equal(path, '/hook')
      assert.equal(headers['zitadel-signature'], headers['signet-signature'])
      const { seconds, mac } = signatureOf(call)
      assert.equal(mac, createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex'))
      const { contextInfo, templateData, args } = JSON.parse(body)
      const { messageId, ...context } = contextInfo
      assert.match(messageId, /^\d{18}$/)
      assert.deepEqual(context, {
        eventType: 'verify_email',
        recipientEmailAddress: 'mini@mouse.example',
        userId: 'mini',
        organizationId: 'north',
        provider: { id, description: 'Ours' },
      })
      assert.equal(templateData.url, link)
      assert.match(templateData.subject, /E-Mail/)
      assert.match(templateData.primaryColor, /^#[0-9a-f]{6}$/)
      for (const part of ['title', 'greeting', 'text', 'buttonText']) assert.ok(templateData[part] !== '', part)
      assert.ok(Object.values(templateData).every((value) => value !== ''))
      const { code, userName, preferredLoginName, loginNames, firstName, lastName, userID, orgID, lastEmail } = args
      assert.deepEqual([code, userName, preferredLoginName, loginNames], ['ABC234', 'mini', 'mini', ['mini']])
      assert.deepEqual([firstName, lastName, userID, orgID], ['Mini', undefined, 'mini', 'north'])
      assert.equal(lastEmail, 'mini@mouse.example')
      await world.ask({ type: 'one_time_code' })
      await settled(world.store, 'mail')
      const other = JSON.parse(received[1]?.body ?? '{}').args
      assert.deepEqual([other.oTP, other.code], ['ABC234', undefined])
      assert.equal(mailCounts(world.app).sent, 2)
    })

    test('it is tried again as mail is, and a rejected email is parked without its code', patient, async (t) => {
      const { world, received, signingKey } = await openWith(t, 503, 302, 422)
      await world.ask({ values: { displayName: 'Mini', code: 'CANARY77' } })
      await until(() => world.failures.length === 1)
      world.clock.now = instant(world.clock.now + 10_000)
      await until(() => world.failures.length === 2)
      world.clock.now = instant(world.clock.now + 20_000)
      await until(async () => (await world.store.jobs.count('mail')).parked === 1)
      const ids = received.map(({ body }) => JSON.parse(body).contextInfo.messageId)
      assert.deepEqual([ids.length, new Set(ids).size], [3, 1])
      const jobs = await world.store.jobs.list({ kind: 'mail', parked: true, limit: 10 })
      assert.equal(jobs[0]?.error, 'The webhook responded with status 422.')
      assert.deepEqual(mailCounts(world.app), { sent: 0, inbox: 0, delayed: 2, parked: 1 })
      const seen = JSON.stringify([jobs, await world.store.events({ limit: 100 }), world.failures.map(String)])
      assert.ok(!seen.includes(signingKey) && !seen.includes('CANARY77'), seen)
    })

    test('one of all email providers is active, and the older methods see the SMTP server only', patient, async (t) => {
      const { world, id } = await openWith(t)
      const { call } = world
      const smtp = await call(api.addEmailProviderSMTP, server, boss)
      const active = async () => (await call(api.getEmailProvider, {}, boss)).config?.id
      // What is new is not active beside another that is.
      assert.equal(await active(), id)
      await call(api.activateEmailProvider, { id: smtp.id }, boss)
      assert.equal(await active(), smtp.id)
      const { config } = await call(api.getEmailProviderById, { id }, boss)
      assert.equal(config?.state, EmailProviderState.EMAIL_PROVIDER_INACTIVE)
      assert.deepEqual(Object.keys(config?.config.value ?? {}), ['$typeName', 'endpoint', 'signingKey'])
      assert.equal((await call(api.listEmailProviders, {}, boss)).result.length, 2)
      assert.deepEqual(
        (await call(api.listSMTPConfigs, {}, boss)).result.map((one) => one.id),
        [smtp.id],
      )
      await isRefused(call(api.getSMTPConfigById, { id }, boss), 'mail.smtp_not_found')
      await isRefused(call(api.updateEmailProviderSMTP, { ...server, id }, boss), 'mail.smtp_not_found')
      const hook = { endpoint: 'https://mail.example', id: smtp.id }
      await isRefused(call(api.updateEmailProviderHTTP, hook, boss), 'mail.smtp_not_found')
      await call(api.activateEmailProvider, { id }, boss)
      await isRefused(call(api.activateEmailProvider, { id }, boss), 'mail.smtp_active')
      await call(api.removeEmailProvider, { id }, boss)
      await isRefused(call(api.getEmailProvider, {}, boss), 'mail.smtp_not_found')
      await isRefused(call(api.getEmailProviderById, { id }, boss), 'mail.smtp_not_found')
      await isRefused(call(api.addEmailProviderHTTP, hook, { bearer: 'north' }), 'access.forbidden')
    })

    test('a renewed key signs; both survive another data key; endpoints inside are refused', patient, async (t) => {
      const { world, received, id, endpoint, signingKey } = await openWith(t)
      const change = { id, endpoint, description: 'B' }
      assert.equal((await world.call(api.updateEmailProviderHTTP, change, boss)).signingKey, undefined)
      const renewed = await world.call(api.updateEmailProviderHTTP, { ...change, expirationSigningKey: {} }, boss)
      assert.ok(renewed.signingKey !== undefined && renewed.signingKey !== signingKey)
      const keyFor = async (as: CallOptions) => {
        const { config } = await world.call(api.getEmailProviderById, { id }, as)
        const { result } = await world.call(api.listEmailProviders, {}, as)
        return [config, ...result].map((one) => one?.config.case === 'http' && one.config.value.signingKey)
      }
      assert.deepEqual(await keyFor(boss), [renewed.signingKey, renewed.signingKey])
      assert.deepEqual(await keyFor({ bearer: 'viewer' }), ['', ''])
      const { resealed } = await rotateDataKey({ ...world.app, masterKeys: world.masterKeys, sealedJobs: [] })
      assert.equal(resealed, 1)
      await world.ask()
      await settled(world.store, 'mail')
      const call = received[0] ?? assert.fail('nothing')
      const { body } = call
      const { seconds, mac } = signatureOf(call)
      assert.equal(mac, createHmac('sha256', renewed.signingKey).update(`${seconds}.${body}`).digest('hex'))
      const strict = await open(t, false)
      for (const inside of ['https://10.0.0.1/', 'http://mail.example/', 'https://user:password@mail.example/']) {
        await isRefused(
          strict.call(api.addEmailProviderHTTP, { endpoint: inside }, boss),
          'mail.endpoint_invalid',
          'endpoint',
        )
      }
    })
  })
}

test('not a byte reaches a listener on this machine, whatever a name resolves to', async (t) => {
  const canary = await startRaw((socket) => socket.destroy())
  afterwards(t, () => canary.close())
  const resolve: Resolve = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const open = (allowsPrivate: boolean) =>
    openPost({ allowsPrivate, fetchOutside: openGuardedFetch({ allowsPrivate, resolve }) })
  const call = { receiver: 'The webhook', headers: {}, body: '{}' } as const
  for (const host of ['rebound.example', '127.0.0.1', '[::1]', '127.1']) {
    const url = `https://${host}:${canary.port}/`
    await assert.rejects(open(false)({ ...call, url, signal: AbortSignal.timeout(5000) }))
  }
  assert.equal(canary.connections(), 0)
  // The canary sings when the operator lets it be reached.
  const url = `http://rebound.example:${canary.port}/`
  await assert.rejects(open(true)({ ...call, url, signal: AbortSignal.timeout(5000) }), /could not be reached/)
  assert.equal(canary.connections(), 1)
})
