import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines } from '../../../test/support/engines.ts'
import { type PasswordWorld, withPasswords } from '../../../test/support/parts/passwords.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { CODE_ALPHABET } from '../../crypto/codes.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { CODES } from './codes.ts'
import { MOST_CODES } from './decider.ts'
import { removeVerifications } from './handlers/end-codes.ts'
import {
  attempts,
  cancelCode,
  checkCode,
  countFailures,
  countTry,
  findOpenCode,
  issueCode,
  NO_ATTEMPTS,
  type Purpose,
  refuseWrongCode,
  unlockAttempts,
  verifications,
} from './index.ts'

const HOUR = 3_600_000

test('codes have at least 20 bits and live as long as the contract says', () => {
  for (const { length } of Object.values(CODES)) {
    assert.ok(Math.log2(CODE_ALPHABET.length) * length >= 20)
  }
  const hours = Object.entries(CODES).map(([purpose, { lifetimeMs }]) => [purpose, lifetimeMs / HOUR])
  assert.deepEqual(Object.fromEntries(hours), {
    email: 1,
    phone: 1,
    email_change: 1,
    phone_change: 1,
    password_reset: 1,
    invite: 72,
    passkey: 1,
  })
})

for (const engine of bothEngines) {
  suite(`codes on ${engine.name}`, () => {
    let world: PasswordWorld
    let count = 0
    before(async () => {
      world = await openWorld({ engine }, withPasswords())
    })
    after(() => world.dispose())

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const newUser = () => `user-${++count}`
    const codeOf = (userId: string, purpose: Purpose = 'email', target = 'ada@example.com') => ({
      userId,
      owner: 'north',
      purpose,
      target,
    })
    const issue = async (what: ReturnType<typeof codeOf>) =>
      (await world.store.write(world.origin(), (work) => issueCode(world.app, work, what))).value.code
    const check = (what: ReturnType<typeof codeOf>, code: string, app = world.app) =>
      app.store.write(world.origin(), (work) => checkCode(app, work, { ...what, code }))
    const wrong = (code: string) => code.replace(/./, (first) => (first === 'A' ? 'B' : 'A'))

    test('are stored as a hash under a secret, and the clear code nowhere', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      assert.match(code, new RegExp(`^[${CODE_ALPHABET}]{6}$`))
      const events = await world.store.events({ id: `${what.userId}/email`, limit: 10 })
      assert.equal(events.length, 1)
      assert.ok(!JSON.stringify(events).includes(code))
      const [{ data } = { data: {} }] = events
      const { secret, ...open } = data as { secret: { hash: string } }
      assert.match(secret.hash, /^mac1\./)
      assert.deepEqual(open, {
        target: 'ada@example.com',
        issuedAt: world.clock.now,
        expiresAt: world.clock.now + HOUR,
        generations: { user: 0, organization: 0 },
      })
    })

    test('are taken as people type them, once', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      await check(what, ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `)
      await isRefused(check(what, code), 'verification.code_invalid')
    })

    test('count for their user, purpose and target, and nowhere else', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      const other = codeOf(newUser())
      await issue(other)
      await isRefused(check(other, code), 'verification.code_invalid')
      await isRefused(check({ ...what, purpose: 'phone' }, code), 'verification.code_invalid')
      await isRefused(check({ ...what, target: 'eve@example.com' }, code), 'verification.code_invalid')
      await check(what, code)
    })

    test('expire at their time, whatever was tried before', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      wait(HOUR - 1000)
      await isRefused(check(what, wrong(code)), 'verification.code_invalid')
      const open = await findOpenCode(world.app, what.userId, 'email', world.clock.now)
      assert.equal(open?.expiresAt, world.clock.now + 1000)
      wait(1000)
      await isRefused(check(what, code), 'verification.code_invalid')
      assert.equal(await findOpenCode(world.app, what.userId, 'email', world.clock.now), undefined)
    })

    test('end after five wrong tries, until a new one is issued', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      for (let i = 0; i < 5; i++) await isRefused(check(what, wrong(code)), 'verification.code_invalid')
      await isRefused(check(what, code), 'attempts.too_many')
      wait(10_000)
      await isRefused(check(what, code), 'verification.code_invalid')
      assert.equal(countFailures((await world.store.get(attempts, what.userId))?.state ?? NO_ATTEMPTS), 5)
      await check(what, await issue(what))
      assert.equal(countFailures((await world.store.get(attempts, what.userId))?.state ?? NO_ATTEMPTS), 0)
    })

    test('end when a newer one is issued or they are cancelled', async () => {
      const what = codeOf(newUser())
      const first = await issue(what)
      const second = await issue(what)
      await isRefused(check(what, first), 'verification.code_invalid')
      await world.store.write(world.origin(), (work) => cancelCode(work, what.userId, 'email'))
      await isRefused(check(what, second), 'verification.code_invalid')
    })

    test('are issued ten times within an hour at most, for each purpose; the answer says when again', async () => {
      const what = codeOf(newUser())
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
      const what = codeOf(newUser())
      for (let i = 0; i < 6; i++) await isRefused(check(what, 'ABCDEF'), 'verification.code_invalid')
      assert.equal(await world.store.get(attempts, what.userId), undefined)
    })

    test('can be asked about without using them up; a wrong one is remembered all the same', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      const ask = (text: string) =>
        world.store.write(world.origin(), (work) => refuseWrongCode(world.app, work, { ...what, code: text }))
      await ask(code)
      await isRefused(ask(wrong(code)), 'verification.code_invalid')
      assert.equal(countFailures((await world.store.get(attempts, what.userId))?.state ?? NO_ATTEMPTS), 1)
      await ask(code)
      await check(what, code)
    })

    test('used by eight at once on two nodes, one of them wins', async () => {
      const other = await world.another()
      for (let round = 0; round < 5; round++) {
        const what = codeOf(newUser())
        const code = await issue(what)
        const racers = Array.from({ length: 8 }, (_, index) =>
          check(what, code, index % 2 === 0 ? world.app : other.app),
        )
        const results = await Promise.allSettled(racers)
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const result of results) {
          if (result.status === 'rejected') assert.ok(result.reason instanceof Refused)
        }
        const events = await world.store.events({ id: `${what.userId}/email`, limit: 100 })
        assert.deepEqual(
          events.map(({ type }) => type),
          ['verification.issued.v1', 'verification.used.v1'],
        )
      }
    })

    test('a hundred wrong tries in a row do not lock the owner out: the next code that is sent works', async () => {
      const what = codeOf(newUser(), 'phone', '+41791234567')
      for (let i = 0; i < 100; i++) {
        const code = await issue(what)
        await isRefused(check(what, wrong(code)), 'verification.code_invalid')
        wait(HOUR / MOST_CODES)
      }
      await check(what, await issue(what))
    })

    test('work while the password is locked, and so does every other factor', async () => {
      const what = codeOf(newUser(), 'password_reset')
      const code = await issue(what)
      const one = { userId: what.userId, owner: 'north', path: 'password' } as const
      const count = (path: 'password' | 'totp', matches: boolean) =>
        world.store.write(world.origin(), (work) => countTry(world.app, work, { ...one, path }, matches))
      for (let i = 0; i < 100; i++) {
        await isRefused(count('password', false), 'password.wrong')
        wait(10_000)
      }
      await isRefused(count('password', true), 'attempts.locked')
      await count('totp', true)
      await check(what, code)
      await isRefused(count('password', true), 'attempts.locked')
      await world.store.write(world.origin(), async (work) => {
        assert.equal(await unlockAttempts(work, what.userId), true)
        assert.equal(await unlockAttempts(work, what.userId), false)
      })
      await count('password', true)
    })

    test('are removed with their user', async () => {
      const what = codeOf(newUser())
      const code = await issue(what)
      await isRefused(check(what, wrong(code)), 'verification.code_invalid')
      const remove = () => world.store.write(world.origin(), (work) => removeVerifications(work, what.userId))
      await remove()
      await remove()
      assert.equal(await world.store.get(verifications, `${what.userId}/email`), undefined)
      assert.equal(await world.store.get(attempts, what.userId), undefined)
      await isRefused(check(what, code), 'verification.code_invalid')
    })
  })
}
