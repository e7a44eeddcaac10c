import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { openPasswordHouse, type PasswordHouse } from '../../../test/support/password-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { CODE_ALPHABET } from '../../crypto/codes.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Store } from '../../store/index.ts'
import {
  attempts,
  CODES,
  cancelCode,
  checkCode,
  findOpenCode,
  issueCode,
  MOST_CODES,
  type Purpose,
  refuseWrongCode,
  removeVerifications,
  unlockAttempts,
  type VerificationsNeeds,
  verifications,
} from './index.ts'

const HOUR = 3_600_000

test('codes have at least 20 bits and live as long as the contract says', () => {
  for (const { length } of Object.values(CODES)) {
    assert.ok(Math.log2(CODE_ALPHABET.length) * length >= 20)
  }
  const hours = Object.entries(CODES).map(([purpose, { lifetimeMs }]) => [purpose, lifetimeMs / HOUR])
  assert.deepEqual(Object.fromEntries(hours), { email: 1, phone: 1, password_reset: 1, invite: 72, passkey: 1 })
})

for (const engine of engines) {
  suite(`codes on ${engine.name}`, () => {
    let house: PasswordHouse
    let count = 0
    before(async () => {
      house = await openPasswordHouse(engine)
    })
    after(() => house.dispose())

    const wait = (milliseconds: number) => {
      house.clock.now = instant(house.clock.now + milliseconds)
    }
    const somebody = () => `somebody-${++count}`
    const codeOf = (userId: string, purpose: Purpose = 'email', target = 'ada@example.com') => ({
      userId,
      owner: 'north',
      purpose,
      target,
    })
    const issue = async (what: ReturnType<typeof codeOf>) =>
      (await house.store.write(house.origin(), (work) => issueCode(house.codes, work, what))).value.code
    const check = (
      what: ReturnType<typeof codeOf>,
      code: string,
      on: [Store, VerificationsNeeds] = [house.store, house.codes],
    ) => on[0].write(house.origin(), (work) => checkCode(on[1], work, { ...what, code }))
    const wrong = (code: string) => code.replace(/./, (first) => (first === 'A' ? 'B' : 'A'))

    test('are stored as a hash under a secret, and the clear code nowhere', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      assert.match(code, new RegExp(`^[${CODE_ALPHABET}]{6}$`))
      const events = await house.store.events({ id: `${what.userId}/email`, limit: 10 })
      assert.equal(events.length, 1)
      assert.ok(!JSON.stringify(events).includes(code))
      const [{ data } = { data: {} }] = events
      const { secret, ...open } = data as { secret: { hash: string } }
      assert.match(secret.hash, /^mac1\./)
      assert.deepEqual(open, {
        target: 'ada@example.com',
        issuedAt: house.clock.now,
        expiresAt: house.clock.now + HOUR,
      })
    })

    test('are taken as people type them, once', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      await check(what, ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `)
      await isRefused(check(what, code), 'verification.code_invalid')
    })

    test('count for their user, purpose and target, and nowhere else', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      const other = codeOf(somebody())
      await issue(other)
      await isRefused(check(other, code), 'verification.code_invalid')
      await isRefused(check({ ...what, purpose: 'phone' }, code), 'verification.code_invalid')
      await isRefused(check({ ...what, target: 'eve@example.com' }, code), 'verification.code_invalid')
      await check(what, code)
    })

    test('end at their time, whatever was tried before', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      wait(HOUR - 1000)
      await isRefused(check(what, wrong(code)), 'verification.code_invalid')
      const open = await findOpenCode(house.store, what.userId, 'email', house.clock.now)
      assert.equal(open?.expiresAt, house.clock.now + 1000)
      wait(1000)
      await isRefused(check(what, code), 'verification.code_invalid')
      assert.equal(await findOpenCode(house.store, what.userId, 'email', house.clock.now), undefined)
    })

    test('are dead after five wrong tries, until a new one is made', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      for (let i = 0; i < 5; i++) await isRefused(check(what, wrong(code)), 'verification.code_invalid')
      await isRefused(check(what, code), 'attempts.too_many')
      wait(10_000)
      await isRefused(check(what, code), 'verification.code_invalid')
      assert.equal((await house.store.get(attempts, what.userId))?.state.failures, 5)
      await check(what, await issue(what))
      assert.equal((await house.store.get(attempts, what.userId))?.state.failures, 0)
    })

    test('end when a newer one is made or they are cancelled', async () => {
      const what = codeOf(somebody())
      const first = await issue(what)
      const second = await issue(what)
      await isRefused(check(what, first), 'verification.code_invalid')
      await house.store.write(house.origin(), (work) => cancelCode(work, what.userId, 'email'))
      await isRefused(check(what, second), 'verification.code_invalid')
    })

    test('are made ten times within an hour at most, for each purpose; the answer says when again', async () => {
      const what = codeOf(somebody())
      for (let i = 0; i < MOST_CODES; i++) {
        await issue(what)
        wait(60_000)
      }
      const error = await issue(what).then(assert.fail, (thrown: unknown) => thrown)
      assert.ok(error instanceof Refused)
      assert.equal(error.code, 'verification.too_many')
      assert.equal(error.kind, 'exhausted')
      assert.equal(error.retryAfterSeconds, (HOUR - MOST_CODES * 60_000) / 1000)
      await issue({ ...what, purpose: 'password_reset' })
      wait(HOUR - MOST_CODES * 60_000)
      await check(what, await issue(what))
    })

    test('a try where no code is open is not counted: there is nothing to guess', async () => {
      const what = codeOf(somebody())
      for (let i = 0; i < 6; i++) await isRefused(check(what, 'ABCDEF'), 'verification.code_invalid')
      assert.equal(await house.store.get(attempts, what.userId), undefined)
    })

    test('can be asked about without using them up; a wrong one is remembered all the same', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      const ask = (text: string) =>
        house.store.write(house.origin(), (work) => refuseWrongCode(house.codes, work, { ...what, code: text }))
      await ask(code)
      await isRefused(ask(wrong(code)), 'verification.code_invalid')
      assert.equal((await house.store.get(attempts, what.userId))?.state.failures, 1)
      await ask(code)
      await check(what, code)
    })

    test('used by eight at once on two nodes, one of them wins', async () => {
      const { store, codes } = await house.another().then(({ store, needs }) => ({ store, codes: needs.codes }))
      for (let round = 0; round < 5; round++) {
        const what = codeOf(somebody())
        const code = await issue(what)
        const racers = Array.from({ length: 8 }, (_, index) =>
          check(what, code, index % 2 === 0 ? [house.store, house.codes] : [store, codes]),
        )
        const results = await Promise.allSettled(racers)
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const result of results) {
          if (result.status === 'rejected') assert.ok(result.reason instanceof Refused)
        }
        const events = await house.store.events({ id: `${what.userId}/email`, limit: 100 })
        assert.deepEqual(
          events.map(({ type }) => type),
          ['verification.issued.v1', 'verification.used.v1'],
        )
      }
    })

    test('a hundred wrong tries in a row close the way, and an unlock opens it', async () => {
      const what = codeOf(somebody(), 'phone', '+41791234567')
      for (let i = 0; i < 100; i++) {
        const code = await issue(what)
        await isRefused(check(what, wrong(code)), 'verification.code_invalid')
        wait(HOUR / MOST_CODES)
      }
      const code = await issue(what)
      await isRefused(check(what, code), 'attempts.locked')
      await house.store.write(house.origin(), async (work) => {
        assert.equal(await unlockAttempts(work, what.userId), true)
        assert.equal(await unlockAttempts(work, what.userId), false)
      })
      await check(what, code)
    })

    test('go with their user', async () => {
      const what = codeOf(somebody())
      const code = await issue(what)
      await isRefused(check(what, wrong(code)), 'verification.code_invalid')
      const remove = () => house.store.write(house.origin(), (work) => removeVerifications(work, what.userId))
      await remove()
      await remove()
      assert.equal(await house.store.get(verifications, `${what.userId}/email`), undefined)
      assert.equal(await house.store.get(attempts, what.userId), undefined)
      await isRefused(check(what, code), 'verification.code_invalid')
    })
  })
}
