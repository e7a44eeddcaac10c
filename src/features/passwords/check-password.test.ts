import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { type PasswordWorld, withPasswords } from '../../../test/support/parts/passwords.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { openPasswords } from '../../crypto/passwords/index.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { settings } from '../settings/index.ts'
import { attempts, countFailures, LOCK_NOTICE_JOB, type LockNotice, NO_ATTEMPTS } from '../verifications/index.ts'
import { checkPassword, checkVisitorPassword, passwords, setPassword } from './index.ts'

const RIGHT = 'correct horse battery staple'

interface ForeignHash {
  readonly format: string
  readonly password: string
  readonly hash: string
}

/** One hash of each format, made of the same password by other implementations. */
const foreign: ReadonlyMap<string, string> = new Map(
  (
    JSON.parse(
      readFileSync(new URL('../../crypto/passwords/foreign-hashes.fixture.json', import.meta.url), 'utf8'),
    ) as readonly ForeignHash[]
  )
    .filter(({ password }) => password === RIGHT)
    .map(({ format, hash }) => [format, hash]),
)

for (const engine of bothEngines) {
  suite(`checking passwords on ${engine.name}`, () => {
    let world: PasswordWorld
    before(async () => {
      world = await openWorld({ engine }, withPasswords())
    })
    after(() => world.dispose())

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const newcomer = async () => world.addPerson({ hash: await world.hashing.hash(RIGHT) })
    const check = (userId: string, password: string, app = world.app) =>
      checkPassword(app, { userId, owner: 'north', password, origin: world.origin() })
    const checkVisitor = (name: string, password: string, userId?: string, app = world.app) => {
      const user = userId === undefined ? undefined : { userId, owner: 'north' }
      return checkVisitorPassword(app, { name, user, password, origin: world.origin() })
    }
    const checkUnknown = (name: string, password: string) => checkVisitor(name, password)
    const confirm = async (userId: string, password: string, app = world.app) => {
      await app.store.write(world.origin(), await check(userId, password, app))
    }
    const failuresOf = async (userId: string) =>
      countFailures((await world.store.get(attempts, userId))?.state ?? NO_ATTEMPTS)
    const typesOf = async (userId: string, kind: string) =>
      (await world.store.events({ kinds: [kind], id: userId, limit: 1000 })).map(({ type }) => type)

    test('a right one writes nothing, a wrong one is remembered, a right one after it resets the count', async () => {
      const userId = await newcomer()
      await confirm(userId, RIGHT)
      assert.deepEqual(await typesOf(userId, 'attempts'), [])
      await isRefused(check(userId, 'wrong'), 'password.wrong')
      assert.equal(await failuresOf(userId), 1)
      await confirm(userId, RIGHT)
      assert.deepEqual(await typesOf(userId, 'attempts'), ['attempts.failed.v1', 'attempts.factor_cleared.v1'])
    })

    test('expensive hashes of one organization do not keep others from signing in', async (t) => {
      const hashing = openPasswords({ currentOwners: () => ['test'], threads: 1, queueSeconds: 0.1 })
      t.after(() => hashing.close())
      const app = { ...world.app, hashing }
      // A salt that bcrypt itself would write: with another one, the library gives up at once.
      const hash = `$2b$12$${'.'.repeat(53)}`
      const [north, south] = [await world.addPerson({ hash }), await world.addPerson({ hash, organizationId: 'south' })]
      const cheap = await newcomer()
      let isOver = false
      const keepBusy = async () => {
        while (!isOver) await hashing.verify(hash, 'wrong', 'north')
      }
      const busy = keepBusy()
      const codeOf = (userId: string, owner: string, password: string) =>
        checkPassword(app, { userId, owner, password, origin: world.origin() }).then(
          () => 'right',
          (error) => (error instanceof Refused ? error.code : String(error)),
        )
      try {
        assert.equal(await codeOf(north, 'north', 'wrong'), 'password.busy')
        assert.equal(await codeOf(south, 'south', 'wrong'), 'password.wrong')
        assert.equal(await codeOf(cheap, 'north', RIGHT), 'right')
      } finally {
        isOver = true
        await busy
      }
      assert.equal(hashing.readLoad().refused, 1)
    })

    test('a user without a password and an unknown user cost the work of a check', async () => {
      const userId = await world.addPerson()
      const before = world.hashing.readLoad().finished
      await isRefused(check(userId, RIGHT), 'password.not_set')
      await isRefused(checkUnknown('nobody', RIGHT), 'password.wrong')
      assert.equal(world.hashing.readLoad().finished, before + 2)
    })

    test('an unknown name is throttled like that of a user, in any spelling', async () => {
      const spellings = ['ghost', 'GHOST', 'Ghost', 'ＧＨＯＳＴ', 'ghoST']
      for (const name of spellings) {
        await isRefused(checkUnknown(name, 'x'), 'password.wrong')
      }
      await isRefused(checkUnknown('ghost', 'x'), 'attempts.too_many')
    })

    test('two nodes tell a visitor the same about every name: of a user, locked, without a password, unknown', async () => {
      const other = await world.another()
      const lockedOut = await newcomer()
      for (let i = 0; i < 100; i++) {
        await isRefused(check(lockedOut, 'wrong'), 'password.wrong')
        wait(10_000)
      }
      const people: Readonly<Record<string, string | undefined>> = {
        known: await newcomer(),
        locked: lockedOut,
        empty: await world.addPerson(),
        unknown: undefined,
      }
      // Eight tries, on one node or the other, and then on a node that has not seen the name yet.
      const nodes = [0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1]
      const codeOf = async (promise: Promise<unknown>) => {
        const error = await promise.then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        assert.ok(error instanceof Refused)
        return error.kind === 'exhausted' ? `${error.code} ${error.retryAfterSeconds}` : 'refused'
      }
      const answers = new Map<string, readonly string[]>()
      const start = world.clock.now
      for (const [name, userId] of Object.entries(people)) {
        world.clock.now = start
        const seen: string[] = []
        for (const node of nodes) {
          const { finished } = world.hashing.readLoad()
          const code = await codeOf(
            checkVisitor(`visitor ${name}`, 'wrong', userId, node === 0 ? world.app : other.app),
          )
          seen.push(`${code} ${world.hashing.readLoad().finished - finished}`)
          wait(100)
        }
        answers.set(name, seen)
      }
      const expected = answers.get('unknown') ?? []
      assert.ok(expected.includes('refused 1') && expected.includes('attempts.too_many 1 0'), String(expected))
      for (const [name, seen] of answers) assert.deepEqual(seen, expected, name)
    })

    test('a visitor with the right password signs in, and that does not reset what the name has failed', async () => {
      const userId = await newcomer()
      for (let i = 0; i < 4; i++) await isRefused(checkVisitor('ada', 'wrong', userId), 'password.wrong')
      await world.store.write(world.origin(), await checkVisitor('ada', RIGHT, userId))
      assert.equal(await failuresOf(userId), 0)
      await isRefused(checkVisitor('ada', 'wrong', userId), 'password.wrong')
      await isRefused(checkVisitor('ADA', RIGHT, userId), 'attempts.too_many')
      wait(1000)
      await world.store.write(world.origin(), await checkVisitor('ada', RIGHT, userId))
    })

    test('twenty first sign-ins at once with a foreign hash write one new hash', async () => {
      const other = await world.another()
      const userId = await world.addPerson({ hash: foreign.get('bcrypt 2b') ?? '' })
      const all = Array.from({ length: 20 }, (_, index) =>
        confirm(userId, RIGHT, index % 2 === 0 ? world.app : other.app),
      )
      await Promise.all(all)
      assert.deepEqual(await typesOf(userId, 'password'), ['password.set.v1', 'password.rehashed.v1'])
      const state = (await world.store.get(passwords, userId))?.state
      assert.ok(state?.status === 'set')
      assert.match(state.secret.hash, /^\$argon2id\$v=19\$m=8192,t=1,p=1\$/)
      await confirm(userId, RIGHT)
    })

    test('a hash of every format is replaced at the first right password, and the second is right too', async () => {
      assert.ok(foreign.size >= 9)
      for (const hash of foreign.values()) {
        const userId = await world.addPerson({ hash })
        await isRefused(check(userId, `${RIGHT}r`), 'password.wrong')
        await confirm(userId, RIGHT)
        await confirm(userId, RIGHT)
        assert.deepEqual(await typesOf(userId, 'password'), ['password.set.v1', 'password.rehashed.v1'])
      }
    })

    test('after five wrong ones every caller has to wait, and nothing is hashed meanwhile', async () => {
      const userId = await newcomer()
      for (let i = 0; i < 5; i++) await isRefused(check(userId, 'wrong'), 'password.wrong')
      const before = world.hashing.readLoad().finished
      await assert.rejects(
        check(userId, RIGHT),
        (error) => error instanceof Refused && error.code === 'attempts.too_many' && error.retryAfterSeconds === 1,
      )
      assert.equal(world.hashing.readLoad().finished, before)
      wait(1000)
      await confirm(userId, RIGHT)
    })

    test('twenty callers at once get no more comparisons than one', async () => {
      const userId = await newcomer()
      const before = world.hashing.readLoad().finished
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => check(userId, 'wrong')))
      const codes = results.map((result) => result.status === 'rejected' && (result.reason as Refused).code)
      assert.equal(codes.filter((code) => code === 'password.wrong').length, 5)
      assert.equal(codes.filter((code) => code === 'attempts.too_many').length, 15)
      assert.equal(world.hashing.readLoad().finished - before, 5)
    })

    test('the limit of the organization locks the password for a minute, then for two; each lock is told once', async () => {
      const lockout = {
        type: 'set',
        section: 'lockout',
        manner: 'put',
        value: { maxPasswordAttempts: 3, maxOtpAttempts: 0 },
      } as const
      await world.store.write(world.origin(), (work) => work.decide(settings, 'south', lockout, 'south'))
      const userId = await world.addPerson({ organizationId: 'south', hash: await world.hashing.hash(RIGHT) })
      const there = (password: string) =>
        checkPassword(world.app, { userId, owner: 'south', password, origin: world.origin() })
      const notices = async () => {
        const jobs = await world.store.jobs.list({ kind: LOCK_NOTICE_JOB, limit: 1000 })
        return jobs.filter(({ data }) => (data as LockNotice).userId === userId).length
      }
      for (let i = 0; i < 3; i++) await isRefused(there('wrong'), 'password.wrong')
      const before = world.hashing.readLoad().finished
      await assert.rejects(
        there(RIGHT),
        (error) => error instanceof Refused && error.code === 'attempts.locked' && error.retryAfterSeconds === 60,
      )
      assert.equal(world.hashing.readLoad().finished, before)
      assert.equal(await notices(), 1)
      wait(60_000)
      await isRefused(there('wrong'), 'password.wrong')
      wait(119_999)
      await isRefused(there(RIGHT), 'attempts.locked')
      assert.equal(await notices(), 2)
      wait(1)
      await world.store.write(world.origin(), await there(RIGHT))
      assert.equal(await failuresOf(userId), 0)
      const { settings: shown } = await world.call(SettingsService.method.getLockoutSettings, {}, { bearer: 'south' })
      assert.equal(shown?.maxPasswordAttempts, 3n)
    })

    test('a right one counts no more once the password was changed before the commit', async () => {
      const userId = await newcomer()
      const put = await check(userId, RIGHT)
      const hash = await world.hashing.hash('another one entirely')
      await world.store.write(world.origin(), (work) =>
        setPassword(work, { userId, owner: 'north', hash, changeRequired: false }),
      )
      await isRefused(world.store.write(world.origin(), put), 'password.changed_meanwhile')
    })

    test('a right one counts no more once too many wrong ones were counted before the commit', async () => {
      const userId = await newcomer()
      const put = await check(userId, RIGHT)
      for (let i = 0; i < 5; i++) await isRefused(check(userId, 'wrong'), 'password.wrong')
      await isRefused(world.store.write(world.origin(), put), 'attempts.too_many')
    })
  })
}
