/** Text messages: the webhooks they leave through, and what reaches them. */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MessageType } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { SMSProviderConfigState } from '../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { type MailWorld, settled, until, withMails } from '../../../test/support/parts/mails.ts'
import { signatureOf, startReceiver } from '../../../test/support/receiver.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { rotateDataKey } from '../instances/index.ts'
import { signingKeyPlace } from './documents.ts'
import { enqueueSms, hasSmsProvider, type SmsRequest, smsModule, smsProviders } from './index.ts'
import { smsCounts } from './jobs.ts'

const boss = { bearer: 'boss' }
/** May read providers and not change them. */
const reader = { bearer: 'viewer' }
const api = AdminService.method
const patient = { timeout: 600_000 }

function askSms(world: MailWorld, other: Partial<SmsRequest> = {}) {
  return world.store.write({ actor: { user: 'a' }, at: world.clock.now }, (work) =>
    enqueueSms(world.app, work, {
      type: 'verify_phone',
      to: '+41791234567',
      userId: 'mini',
      organizationId: 'north',
      language: 'de-CH',
      code: 'CANARY77',
      ...other,
    }),
  )
}

for (const engine of engines) {
  suite(`text messages on ${engine.name}`, () => {
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
      const added = await world.call(api.addSMSProviderHTTP, { endpoint: receiver.url, description: 'Ours' }, boss)
      await world.call(api.activateSMSProvider, { id: added.id }, boss)
      return { world, received: receiver.received, endpoint: receiver.url, ...added }
    }

    test('without a webhook it goes to the development inbox, as mail does', patient, async (t) => {
      const world = await open(t)
      assert.equal(await hasSmsProvider(world.app), false)
      await askSms(world)
      await world.call(api.addSMSProviderHTTP, { endpoint: 'https://sms.example' }, boss)
      await askSms(world, { type: 'one_time_code' })
      await settled(world.store, 'sms')
      const { mails } = await world.call(MailService.method.listInboxMails, { recipient: '+41791234567' }, boss)
      assert.deepEqual(
        new Set(mails.map(({ type }) => type)),
        new Set([MessageType.ONE_TIME_CODE, MessageType.VERIFY_PHONE]),
      )
      for (const { text } of mails) assert.match(text, /^CANARY77 /)
      const filter = { type: MessageType.VERIFY_PHONE }
      assert.equal((await world.call(MailService.method.listInboxMails, filter, boss)).mails.length, 1)
      assert.ok(!JSON.stringify(await world.store.events({ limit: 100 })).includes('CANARY77'))
    })

    test('many messages of an organization do not wait in front of the message of another', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      for (let number = 0; number < 120; number++) await askSms(world, { organizationId: 'south' })
      await askSms(world)
      const due = async (organizationId: string) => {
        const jobs = await world.store.jobs.list({ kind: 'sms', limit: 1_000 })
        const own = jobs.filter(({ data }) => (data as SmsRequest).organizationId === organizationId)
        return own.map(({ dueAt }) => dueAt - world.clock.now).sort((a, b) => a - b)
      }
      const south = await due('south')
      assert.deepEqual([south[0], south[99], south[100], south[119]], [0, 0, 50, 1_000])
      assert.deepEqual(await due('north'), [0])
    })

    test('a message reaches the webhook once, signed, in the language of its reader', patient, async (t) => {
      const { world, received, signingKey, id } = await openWith(t)
      await askSms(world)
      await settled(world.store, 'sms')
      assert.equal(received.length, 1)
      const call = received[0] ?? assert.fail('nothing')
      const { body } = call
      const { seconds, mac } = signatureOf(call)
      assert.equal(mac, createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex'))
      assert.equal(Number(seconds), world.clock.now / 1000)
      const { contextInfo, templateData, args } = JSON.parse(body)
      assert.deepEqual(args, { code: 'CANARY77' })
      assert.equal(templateData.text, 'CANARY77 ist Ihr Code zur Bestätigung dieser Nummer.')
      const { messageId, ...rest } = contextInfo
      assert.match(messageId, /^\d{18}$/)
      assert.deepEqual(rest, {
        eventType: 'verify_phone',
        recipientPhoneNumber: '+41791234567',
        userId: 'mini',
        organizationId: 'north',
        provider: { id, description: 'Ours' },
      })
    })

    test(
      'a webhook that cannot now is tried again with the same message id; a redirect is not followed',
      patient,
      async (t) => {
        const { world, received } = await openWith(t, 503, 302)
        await askSms(world)
        await until(() => world.failures.length === 1)
        world.clock.now = instant(world.clock.now + 10_000)
        await until(() => world.failures.length === 2)
        world.clock.now = instant(world.clock.now + 20_000)
        await settled(world.store, 'sms')
        const ids = received.map(({ body }) => JSON.parse(body).contextInfo.messageId)
        assert.equal(ids.length, 3)
        assert.equal(new Set(ids).size, 1)
        assert.deepEqual(smsCounts(world.app), { sent: 1, delayed: 2, parked: 0 })
      },
    )

    test('a message that the webhook does not want is parked', patient, async (t) => {
      const { world } = await openWith(t, 400)
      await askSms(world)
      await until(async () => (await world.store.jobs.count('sms')).parked === 1)
      const [job] = await world.store.jobs.list({ kind: 'sms', parked: true, limit: 10 })
      assert.equal(job?.error, 'The webhook responded with status 400.')
      assert.deepEqual(smsCounts(world.app), { sent: 0, delayed: 0, parked: 1 })
    })

    test(
      'neither key nor code is anywhere in plain text, and a dead webhook is no reason to show them',
      patient,
      async (t) => {
        const world = await open(t)
        const endpoint = `http://127.0.0.1:${await freePort()}/`
        const { id, signingKey } = await world.call(api.addSMSProviderHTTP, { endpoint }, boss)
        await world.call(api.activateSMSProvider, { id }, boss)
        await askSms(world)
        await until(() => world.failures.length === 1)
        const seen = JSON.stringify([
          await world.store.events({ limit: 100 }),
          await world.store.jobs.list({ kind: 'sms', limit: 10 }),
          world.failures.map(({ error }) => String(error)),
          JSON.stringify((await world.call(api.getSMSProvider, { id }, reader)).config?.config.value),
          JSON.stringify((await world.call(api.listSMSProviders, {}, reader)).result[0]?.config.value),
        ])
        const { config } = await world.call(api.getSMSProvider, { id }, boss)
        assert.equal(config?.config.case === 'http' && config.config.value.signingKey, signingKey)
        assert.ok(!seen.includes(signingKey) && !seen.includes('CANARY77'), seen)
      },
    )

    test('one webhook at most is active; activating another ends the first', patient, async (t) => {
      const { call } = await open(t)
      const one = await call(api.addSMSProviderHTTP, { endpoint: 'https://one.example' }, boss)
      const two = await call(api.addSMSProviderHTTP, { endpoint: 'https://two.example' }, boss)
      const states = async () => {
        const { result } = await call(api.listSMSProviders, { query: { asc: true } }, boss)
        return result.map(({ id, state }) => [
          id === one.id ? 1 : 2,
          state === SMSProviderConfigState.SMS_PROVIDER_CONFIG_ACTIVE,
        ])
      }
      const both = (first: boolean, second: boolean) => [
        [1, first],
        [2, second],
      ]
      const sorted = async () => (await states()).sort()
      assert.deepEqual(await sorted(), both(false, false))
      await call(api.activateSMSProvider, { id: one.id }, boss)
      await isRefused(call(api.activateSMSProvider, { id: one.id }, boss), 'sms.provider_active')
      await call(api.activateSMSProvider, { id: two.id }, boss)
      assert.deepEqual(await sorted(), both(false, true))
      await isRefused(call(api.deactivateSMSProvider, { id: one.id }, boss), 'sms.provider_inactive')
      await call(api.deactivateSMSProvider, { id: two.id }, boss)
      await call(api.activateSMSProvider, { id: one.id }, boss)
      await call(api.removeSMSProvider, { id: one.id }, boss)
      await call(api.activateSMSProvider, { id: two.id }, boss)
      await isRefused(call(api.getSMSProvider, { id: one.id }, boss), 'sms.provider_not_found')
      await isRefused(call(api.removeSMSProvider, { id: 'none' }, boss), 'sms.provider_not_found')
      await isRefused(call(api.listSMSProviders, {}, { bearer: 'north' }), 'access.forbidden')
    })

    test('a new signing key is shown once and signs from then on', patient, async (t) => {
      const { world, received, signingKey, id, endpoint } = await openWith(t)
      const same = await world.call(api.updateSMSProviderHTTP, { id, endpoint, description: 'Renamed' }, boss)
      assert.equal(same.signingKey, undefined)
      const renewed = await world.call(api.updateSMSProviderHTTP, { id, endpoint, expirationSigningKey: {} }, boss)
      assert.ok(renewed.signingKey !== undefined && renewed.signingKey !== signingKey)
      await askSms(world)
      await settled(world.store, 'sms')
      const call = received[0] ?? assert.fail('nothing')
      const { body } = call
      const { seconds, mac } = signatureOf(call)
      assert.equal(mac, createHmac('sha256', renewed.signingKey).update(`${seconds}.${body}`).digest('hex'))
    })

    test('a new data key seals signing keys and waiting messages anew', patient, async (t) => {
      const receiver = await startReceiver(t)
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const { id } = await world.call(api.addSMSProviderHTTP, { endpoint: receiver.url }, boss)
      await world.call(api.activateSMSProvider, { id }, boss)
      await askSms(world)
      const { resealed } = await rotateDataKey({
        ...world.app,
        masterKeys: world.masterKeys,
        sealedJobs: smsModule.sealedJobs ?? [],
      })
      assert.equal(resealed, 2)
      const fresh = await world.another()
      const runner = fresh.run()
      afterwards(t, () => runner.stop())
      await until(() => receiver.received.length === 1)
    })

    test('a new data key seals the signing keys of more than a thousand webhooks anew', patient, async (t) => {
      const world = await openWorld({ engine }, withMails())
      afterwards(t, () => world.dispose())
      const { app, store, masterKeys } = world
      const ids = Array.from({ length: 1100 }, (_, number) => `webhook-${number}`)
      await store.write(world.origin(), async (work) => {
        for (const [number, id] of ids.entries()) {
          const signingKey = await app.vault.seal(work, signingKeyPlace(id), `key of ${id}`)
          const command = {
            type: 'add',
            of: 'http',
            settings: { endpoint: 'https://sms.example', description: '' },
            secret: { signingKey },
          } as const
          // An instance has at most a hundred.
          await work.decide(smsProviders, id, command, `instance-${number % 11}`)
        }
      })
      const { resealed } = await rotateDataKey({ ...app, masterKeys, sealedJobs: [] })
      assert.equal(resealed, ids.length)
      const fresh = await world.another()
      for (const id of ids) {
        const state = (await store.get(smsProviders, id))?.state
        const sealed = state?.status === 'inactive' && state.type === 'http' ? state.secret.signingKey : assert.fail(id)
        assert.equal(await fresh.app.vault.open(signingKeyPlace(id), sealed), `key of ${id}`)
      }
    })

    test('an address inside of a network, without encryption or of another sort is refused', patient, async (t) => {
      const { call } = await open(t, false)
      for (const endpoint of [
        'http://sms.example/',
        'https://127.0.0.1/',
        'https://[::1]/',
        'https://10.0.0.1/',
        'https://169.254.169.254/latest',
        'https://2130706433/',
        'https://0177.1/',
        'https://user:password@sms.example/',
        'ftp://sms.example/',
        'sms.example',
      ]) {
        await isRefused(call(api.addSMSProviderHTTP, { endpoint }, boss), 'sms.endpoint_invalid', 'endpoint')
      }
    })
  })
}
