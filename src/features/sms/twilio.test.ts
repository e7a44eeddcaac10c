/** Text messages through an account at Twilio, which is a real server on this machine. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { settled, until, withMails } from '../../../test/support/parts/mails.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { openGuardedFetch } from '../../outbound/fetch.ts'
import { rotateDataKey } from '../instances/index.ts'
import { enqueueSms } from './index.ts'

const boss = { bearer: 'boss' }
const api = AdminService.method
const patient = { timeout: 600_000 }
const account = { sid: 'AC0123', token: 'CANARYTOKEN', senderNumber: '+15005550006', description: 'Ours' }

for (const engine of bothEngines) {
  suite(`text messages by Twilio on ${engine.name}`, () => {
    const openWith = async (t: TestContext, ...answers: number[]) => {
      const receiver = await startReceiver(t, ...answers)
      const guarded = openGuardedFetch({ allowsPrivate: true })
      const hosts: string[] = []
      const world = await openWorld(
        {
          engine,
          fetchOutside(url, request) {
            hosts.push(new URL(url).origin)
            return guarded(new URL(new URL(url).pathname, receiver.url).href, request)
          },
        },
        withMails(),
      )
      afterwards(t, () => world.dispose())
      const runner = world.run()
      afterwards(t, () => runner.stop())
      const { id } = await world.call(api.addSMSProviderTwilio, account, boss)
      await world.call(api.activateSMSProvider, { id }, boss)
      const about = { type: 'one_time_code', userId: 'mini', organizationId: 'north', language: 'en' } as const
      const send = () =>
        world.store.write({ actor: { user: 'a' }, at: world.clock.now }, (work) =>
          enqueueSms(world.app, work, { ...about, to: '+41791234567', code: 'CANARY77' }),
        )
      return { world, id, hosts, send, received: receiver.received }
    }

    test('a message is posted as the account, from its number or its messaging service', patient, async (t) => {
      const { world, id, hosts, received, send } = await openWith(t)
      await send()
      await settled(world.store, 'sms')
      const { path, headers, body } = received[0] ?? assert.fail('nothing')
      assert.deepEqual([hosts[0], path], ['https://api.twilio.com', '/2010-04-01/Accounts/AC0123/Messages.json'])
      assert.equal(headers.authorization, `Basic ${Buffer.from('AC0123:CANARYTOKEN').toString('base64')}`)
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
      const text = 'CANARY77 is your verification code. Do not share it.'
      const form = { To: '+41791234567', From: '+15005550006', Body: text }
      assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), form)
      const service = `MG${'0'.repeat(32)}`
      await world.call(api.updateSMSProviderTwilio, { id, sid: 'AC0123', senderNumber: service }, boss)
      await send()
      await settled(world.store, 'sms')
      assert.equal(new URLSearchParams(received[1]?.body).get('MessagingServiceSid'), service)
      assert.equal(new URLSearchParams(received[1]?.body).has('From'), false)
    })

    test('with a verify service, that service sends our code; another token is used at once', patient, async (t) => {
      const { world, id, hosts, received, send } = await openWith(t)
      const change = { id, sid: 'AC0123', verifyServiceSid: 'VA77' }
      await world.call(api.updateSMSProviderTwilio, change, boss)
      await world.call(api.updateSMSProviderTwilioToken, { id, token: 'CANARYOTHER' }, boss)
      const { resealed } = await rotateDataKey({ ...world.app, masterKeys: world.masterKeys, sealedJobs: [] })
      assert.equal(resealed, 1)
      await send()
      await settled(world.store, 'sms')
      const { path, headers, body } = received[0] ?? assert.fail('nothing')
      assert.deepEqual([hosts[0], path], ['https://verify.twilio.com', '/v2/Services/VA77/Verifications'])
      assert.equal(headers.authorization, `Basic ${Buffer.from('AC0123:CANARYOTHER').toString('base64')}`)
      const form = { To: '+41791234567', Channel: 'sms', CustomCode: 'CANARY77' }
      assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), form)
      const { config } = await world.call(api.getSMSProvider, { id }, boss)
      assert.equal(config?.config.case, 'twilio')
      const { $typeName: _, ...shown } = config.config.value
      assert.deepEqual(shown, { sid: 'AC0123', senderNumber: '', verifyServiceSid: 'VA77' })
    })

    test('it is tried again as mail is; neither token nor code is anywhere in plain text', patient, async (t) => {
      const { world, id, received, send } = await openWith(t, 429, 401, 400)
      await send()
      await until(() => world.failures.length === 1)
      world.clock.now = instant(world.clock.now + 10_000)
      await until(() => world.failures.length === 2)
      world.clock.now = instant(world.clock.now + 20_000)
      await until(async () => (await world.store.jobs.count('sms')).parked === 1)
      assert.equal(received.length, 3)
      const jobs = await world.store.jobs.list({ kind: 'sms', parked: true, limit: 10 })
      assert.equal(jobs[0]?.error, 'Twilio responded with status 400.')
      const seen = JSON.stringify([
        jobs,
        await world.store.events({ limit: 100 }),
        world.failures.map(({ error }) => String(error)),
        (await world.call(api.getSMSProvider, { id }, boss)).config?.config.value,
      ])
      assert.ok(!seen.includes('CANARY'), seen)
    })

    test('what cannot send is refused, and methods of another type find no provider', patient, async (t) => {
      const { world, id } = await openWith(t)
      const { call } = world
      const nobody = { ...account, senderNumber: '' }
      await isRefused(call(api.addSMSProviderTwilio, nobody, boss), 'sms.twilio_invalid', 'senderNumber')
      await isRefused(call(api.addSMSProviderTwilio, { ...account, sid: '..' }, boss), 'sms.twilio_invalid', 'sid')
      const escaping = { ...account, verifyServiceSid: 'VA/../x' }
      await isRefused(call(api.addSMSProviderTwilio, escaping, boss), 'sms.twilio_invalid', 'verifyServiceSid')
      const endpoint = 'https://sms.example/'
      await isRefused(call(api.updateSMSProviderHTTP, { id, endpoint }, boss), 'sms.provider_not_found')
      const { id: hook } = await call(api.addSMSProviderHTTP, { endpoint }, boss)
      const other = { ...account, id: hook }
      await isRefused(call(api.updateSMSProviderTwilio, other, boss), 'sms.provider_not_found')
      await isRefused(call(api.updateSMSProviderTwilioToken, other, boss), 'sms.provider_not_found')
      await isRefused(call(api.addSMSProviderTwilio, account, { bearer: 'north' }), 'access.forbidden')
    })
  })
}
