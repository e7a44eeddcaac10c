/** One-time codes on their way to people, and what is sealed of them when the key is replaced. On both engines. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { type House, openHouse } from '../../../test/support/in-memory.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { instant } from '../../kernel/instant.ts'
import { rotateDataKey } from '../instances/index.ts'
import {
  challengeOtp,
  checkOtp,
  checkTotp,
  type Medium,
  type OneTimeCodesNeeds,
  oneTimeCodeResealers,
  oneTimeCodes,
  useRecoveryCode,
} from './index.ts'

const v2 = UserService.method
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const patient = { timeout: 120_000 }
const known = { case: 'isVerified', value: true } as const
let count = 0

async function addPerson({ call, owner }: House, preferredLanguage = 'en'): Promise<string> {
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
    const open = async (t: TestContext): Promise<House> => {
      const house = await openHouse(engine)
      afterwards(t, () => house.dispose())
      return house
    }
    const origin = ({ clock }: House) => ({ actor: 'test', at: clock.now })
    const whose = (house: House, userId: string, medium: Medium) => ({
      medium,
      userId,
      owner: house.defaultOrganizationId,
      sessionId: 'session-1',
    })
    const send = async (house: House, userId: string, medium: Medium, urlTemplate?: string) => {
      const of = { ...whose(house, userId, medium), delivery: { urlTemplate } }
      const { value } = await house.store.write(origin(house), (work) =>
        challengeOtp(house.rooms.oneTimeCodes, work, of),
      )
      assert.equal('code' in value, false)
      return value.challenge
    }
    const check = (
      house: House,
      userId: string,
      medium: Medium,
      given: { challenge: Awaited<ReturnType<typeof send>>; code: string },
    ) =>
      house.store.write(origin(house), (work) =>
        checkOtp(house.rooms.oneTimeCodes, work, { ...whose(house, userId, medium), ...given }),
      )
    const mailTo = async (house: House, recipient: string) => {
      await house.runJobs()
      const { mails } = await house.rooms.mail.inbox.list({ recipient, type: 'one_time_code', limit: 10 })
      const [mail] = mails
      assert.ok(mail)
      assert.equal(mails.length, 1)
      return mail
    }

    test('a mail carries the code and, until it leaves, nobody can read it', patient, async (t) => {
      const house = await open(t)
      const userId = await addPerson(house, 'de-CH')
      const challenge = await send(house, userId, 'email')
      const waiting = JSON.stringify(await house.store.jobs.list({ kind: 'mail', limit: 10 }))
      const mail = await mailTo(house, `reader-${count}@example.com`)
      const [code = ''] = /\b\d{8}\b/.exec(mail.text) ?? []
      assert.match(code, /^\d{8}$/)
      assert.ok(!waiting.includes(code))
      assert.match(mail.subject, /Code/)
      assert.match(mail.text, /5 Minuten/)
      assert.ok(!mail.text.includes('http'))
      const events = await house.store.events({ limit: 1000 })
      assert.ok(!JSON.stringify(events).includes(code))
      await check(house, userId, 'email', { challenge, code })
    })

    test('a mail carries the link that was asked for, with every value in its place', patient, async (t) => {
      const house = await open(t)
      const userId = await addPerson(house)
      const names = ['Code', 'UserID', 'LoginName', 'DisplayName', 'PreferredLanguage', 'SessionID']
      const places = names.map((name) => `${name}={{.${name}}}`).join('&')
      const challenge = await send(house, userId, 'email', `https://app.example.com/otp?${places}`)
      const mail = await mailTo(house, `reader-${count}@example.com`)
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
      await check(house, userId, 'email', { challenge, code })
    })

    test('a template that makes no link is refused at once, and nothing is sent or counted', async (t) => {
      const house = await open(t)
      const userId = await addPerson(house)
      const field = 'challenges.otpEmail.sendCode.urlTemplate'
      for (const template of ['javascript:alert({{.Code}})', 'https://{{.Code}}.example.com', 'https://x/{{.OrgID}}']) {
        await isRefused(send(house, userId, 'email', template), 'otp.url_template_invalid', field)
      }
      assert.equal((await house.store.jobs.count('mail')).waiting, 0)
      assert.equal((await house.store.get(oneTimeCodes, userId))?.state.otp.email?.issue, 0)
    })

    test('without a way for text messages none is promised, and with one it arrives', patient, async (t) => {
      const house = await open(t)
      const userId = await addPerson(house)
      await isRefused(send(house, userId, 'sms'), 'sms.no_provider')
      assert.equal((await house.store.get(oneTimeCodes, userId))?.state.otp.sms?.issue, 0)
      const { received, endpoint } = await startWebhook(t)
      const { id } = await house.call(AdminService.method.addSMSProviderHTTP, { endpoint }, house.owner)
      await house.call(AdminService.method.activateSMSProvider, { id }, house.owner)
      const challenge = await send(house, userId, 'sms')
      const waiting = JSON.stringify(await house.store.jobs.list({ kind: 'sms', limit: 10 }))
      await house.runJobs()
      assert.equal(received.length, 1)
      const [code = ''] = /\b\d{8}\b/.exec(received[0] ?? '') ?? []
      assert.match(code, /^\d{8}$/)
      assert.match(received[0] ?? '', /\+41446681800/)
      assert.ok(!waiting.includes(code))
      await check(house, userId, 'sms', { challenge, code })
    })

    test('a new data key seals apps and recovery codes anew, and all of them still count', patient, async (t) => {
      const house = await open(t)
      const { store, clock, call, owner, masterKeys, instanceId } = house
      const people: { userId: string; codes: string[] }[] = []
      for (let i = 0; i < 5; i++) {
        const userId = await addPerson(house)
        const { recoveryCodes } = await call(v2.generateRecoveryCodes, { userId, count: 2 }, owner)
        people.push({ userId, codes: recoveryCodes })
      }
      const totp = (needs: OneTimeCodesNeeds, userId: string) =>
        needs.store.write(origin(house), (work) => {
          const code = totpCode(SECRET, totpStep(clock.now))
          return checkTotp(needs, work, { userId, owner: house.defaultOrganizationId, code })
        })
      const recover = (needs: OneTimeCodesNeeds, userId: string, code = '') =>
        needs.store.write(origin(house), (work) =>
          useRecoveryCode(needs, work, { userId, owner: house.defaultOrganizationId, code }),
        )
      for (const { userId, codes } of people) await recover(house.rooms.oneTimeCodes, userId, codes[0])

      const resealers = oneTimeCodeResealers(store, () => clock.now)
      const rotate = () => rotateDataKey({ store, masterKeys, instanceId, origin: origin(house), resealers })
      assert.equal((await rotate()).resealed, 10)
      const again = await rotate()
      assert.equal(again.resealed, 10)

      // A process that started afterwards knows no key but the newest.
      const fresh = (await house.another()).rooms.oneTimeCodes
      for (const { userId, codes } of people) {
        const state = JSON.stringify((await store.get(oneTimeCodes, userId))?.state)
        assert.equal(state.split(`seal1.${again.activeKeyId}.`).length, 3)
        await totp(fresh, userId)
        await isRefused(recover(fresh, userId, codes[0]), 'recovery_codes.code_used')
        await recover(fresh, userId, codes[1])
      }
      clock.now = instant(clock.now + 30_000)
      for (const { userId } of people) await totp(house.rooms.oneTimeCodes, userId)
    })
  })
}
