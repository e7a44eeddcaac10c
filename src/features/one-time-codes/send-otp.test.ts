/** One-time codes that are mailed and texted, and what is sealed again when the key is replaced. On both engines. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { rotateDataKey } from '../instances/index.ts'
import { listInboxMails } from '../mail/index.ts'
import { deliveryToNewUser } from '../messages/index.ts'
import { challengeOtp, checkOtp, checkTotp, type Medium, oneTimeCodes, useRecoveryCode } from './index.ts'

const v2 = UserService.method
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const patient = { timeout: 600_000 }
const known = { case: 'isVerified', value: true } as const
let count = 0

async function addPerson({ call, owner }: World, preferredLanguage = 'en'): Promise<string> {
  const request = {
    username: `reader-${++count}`,
    profile: { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage },
    email: { email: `reader-${count}@example.com`, verification: known },
    phone: { phone: '+41446681800', verification: known },
    totpSecret: SECRET,
  }
  const { userId } = await call(v2.addHumanUser, request, owner)
  await call(v2.addOTPSMS, { userId }, owner)
  await call(v2.addOTPEmail, { userId }, owner)
  return userId
}

/** A webhook that keeps what it is sent. */
async function startWebhook(t: TestContext) {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push(Buffer.concat(chunks).toString())
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterwards(t, () => new Promise((closed) => server.close(closed)))
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms` }
}

for (const engine of engines) {
  suite(`sending one-time codes on ${engine.name}`, () => {
    const open = async (t: TestContext): Promise<World> => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      return world
    }
    const origin = ({ clock }: World) => ({ actor: { user: 'test' }, at: clock.now })
    const whose = (world: World, userId: string, medium: Medium) => ({
      medium,
      userId,
      owner: world.defaultOrganizationId,
      sessionId: 'session-1',
    })
    const send = async (world: World, userId: string, medium: Medium, urlTemplate?: string) => {
      const of = { ...whose(world, userId, medium), delivery: deliveryToNewUser({ type: 'send', urlTemplate }) }
      const { value } = await world.store.write(origin(world), (work) => challengeOtp(world.app, work, of))
      assert.equal('code' in value, false)
      return value.challenge
    }
    const check = (
      world: World,
      userId: string,
      medium: Medium,
      given: { challenge: Awaited<ReturnType<typeof send>>; code: string },
    ) =>
      world.store.write(origin(world), (work) =>
        checkOtp(world.app, work, { ...whose(world, userId, medium), ...given }),
      )
    const mailTo = async (world: World, recipient: string) => {
      await world.runJobs()
      const { mails } = await listInboxMails(world.app, { recipient, type: 'one_time_code', limit: 10 })
      const [mail] = mails
      assert.ok(mail)
      assert.equal(mails.length, 1)
      return mail
    }

    test('a mail carries the code, which is sealed until the mail is sent', patient, async (t) => {
      const world = await open(t)
      const userId = await addPerson(world, 'de-CH')
      const challenge = await send(world, userId, 'email')
      const waiting = JSON.stringify(await world.store.jobs.list({ kind: 'mail', limit: 10 }))
      const mail = await mailTo(world, `reader-${count}@example.com`)
      const [code = ''] = /\b\d{8}\b/.exec(mail.text) ?? []
      assert.match(code, /^\d{8}$/)
      assert.ok(!waiting.includes(code))
      assert.match(mail.subject, /code/i)
      assert.match(mail.text, /5 Minuten/)
      assert.ok(!mail.text.includes('http'))
      const events = await world.store.events({ limit: 1000 })
      assert.ok(!JSON.stringify(events).includes(code))
      await check(world, userId, 'email', { challenge, code })
    })

    test('a mail carries the link that was asked for, with every value in its place', patient, async (t) => {
      const world = await open(t)
      const userId = await addPerson(world)
      const names = ['Code', 'UserID', 'LoginName', 'DisplayName', 'PreferredLanguage', 'SessionID']
      const places = names.map((name) => `${name}={{.${name}}}`).join('&')
      const challenge = await send(world, userId, 'email', `https://app.example.com/otp?${places}`)
      const mail = await mailTo(world, `reader-${count}@example.com`)
      const [link = ''] = /https:\/\/app\.example\.com\/otp\?\S+/.exec(mail.text) ?? []
      const values = Object.fromEntries(new URL(link).searchParams)
      const { Code: code = '', ...rest } = values
      assert.deepEqual(rest, {
        UserID: userId,
        LoginName: `reader-${count}`,
        DisplayName: 'Ada Lovelace',
        PreferredLanguage: 'en',
        SessionID: 'session-1',
      })
      await check(world, userId, 'email', { challenge, code })
    })

    test('a template that makes no link is refused at once, and nothing is sent or counted', async (t) => {
      const world = await open(t)
      const userId = await addPerson(world)
      const field = 'challenges.otpEmail.sendCode.urlTemplate'
      for (const template of ['javascript:alert({{.Code}})', 'https://{{.Code}}.example.com', 'https://x/{{.OrgID}}']) {
        await isRefused(send(world, userId, 'email', template), 'otp.url_template_invalid', field)
      }
      assert.equal((await world.store.jobs.count('mail')).waiting, 0)
      assert.equal((await world.store.get(oneTimeCodes, userId))?.state.otp.email?.issue, 0)
    })

    test('a text message arrives at the provider', patient, async (t) => {
      const world = await open(t)
      const userId = await addPerson(world)
      const { received, endpoint } = await startWebhook(t)
      const { id } = await world.call(AdminService.method.addSMSProviderHTTP, { endpoint }, world.owner)
      await world.call(AdminService.method.activateSMSProvider, { id }, world.owner)
      const challenge = await send(world, userId, 'sms')
      const waiting = JSON.stringify(await world.store.jobs.list({ kind: 'sms', limit: 10 }))
      await world.runJobs()
      assert.equal(received.length, 1)
      const [code = ''] = /\b\d{8}\b/.exec(received[0] ?? '') ?? []
      assert.match(code, /^\d{8}$/)
      assert.match(received[0] ?? '', /\+41446681800/)
      assert.ok(!waiting.includes(code))
      await check(world, userId, 'sms', { challenge, code })
    })

    test('a new data key seals apps and recovery codes again, and all of them still count', patient, async (t) => {
      const world = await open(t)
      const { store, clock, call, owner, masterKeys } = world
      const people: { userId: string; codes: string[] }[] = []
      for (let i = 0; i < 5; i++) {
        const userId = await addPerson(world)
        const { recoveryCodes } = await call(v2.generateRecoveryCodes, { userId, count: 2 }, owner)
        people.push({ userId, codes: recoveryCodes })
      }
      const totp = (app: App, userId: string) =>
        app.store.write(origin(world), (work) => {
          const code = totpCode(SECRET, totpStep(clock.now))
          return checkTotp(app, work, { userId, owner: world.defaultOrganizationId, code })
        })
      const recover = (app: App, userId: string, code = '') =>
        app.store.write(origin(world), (work) =>
          useRecoveryCode(app, work, { userId, owner: world.defaultOrganizationId, code }),
        )
      for (const { userId, codes } of people) await recover(world.app, userId, codes[0])

      const rotate = () => rotateDataKey({ ...world.app, masterKeys, sealedJobs: [] })
      assert.equal((await rotate()).resealed, 10)
      const again = await rotate()
      assert.equal(again.resealed, 10)

      // A process that started afterwards knows no key but the newest.
      const fresh = (await world.another()).app
      for (const { userId, codes } of people) {
        const state = JSON.stringify((await store.get(oneTimeCodes, userId))?.state)
        assert.equal(state.split(`seal1.${again.activeKeyId}.`).length, 3)
        await totp(fresh, userId)
        await isRefused(recover(fresh, userId, codes[0]), 'recovery_codes.code_used')
        await recover(fresh, userId, codes[1])
      }
      clock.now = instant(clock.now + 30_000)
      for (const { userId } of people) await totp(world.app, userId)
    })
  })
}
