import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import fc from 'fast-check'
import { Refused } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import FOREIGN_HASHES from './foreign-hashes.fixture.json' with { type: 'json' }
import { ARGON2_COSTS, openPasswords, type Passwords, type PasswordsOptions } from './index.ts'

const opened: Passwords[] = []
const currentOwners = (): Owners => ['test']
function open(options: Partial<PasswordsOptions> = {}): Passwords {
  const passwords = openPasswords({ currentOwners, queueSeconds: 600, ...options })
  opened.push(passwords)
  return passwords
}
after(() => Promise.all(opened.map((passwords) => passwords.close())))

const LIGHT = { memoryKib: 8192, passes: 1, lanes: 1 }
const RIGHT = 'correct horse battery staple'
function isRefused(code: string) {
  return (error: unknown) => error instanceof Refused && error.code === code
}

suite('hashing', () => {
  test('a hash is argon2id with the costs of the world and a salt of 16 bytes', async () => {
    const hash = await open().hash(RIGHT)
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  })

  test('the right password matches and needs no new hash; another does not match', async () => {
    const passwords = open()
    const hash = await passwords.hash(RIGHT)
    assert.deepEqual(await passwords.verify(hash, RIGHT), { matches: true, rehash: false })
    assert.deepEqual(await passwords.verify(hash, `${RIGHT}.`), { matches: false, rehash: false })
  })

  test('costs out of the bounds of a check are not opened', () => {
    assert.throws(() => openPasswords({ currentOwners, costs: { ...LIGHT, passes: 11 } }), /passes/)
  })

  test('two hashes of one password differ by their salts', async () => {
    const passwords = open({ costs: LIGHT })
    assert.notEqual(await passwords.hash(RIGHT), await passwords.hash(RIGHT))
    const salted = open({ costs: LIGHT, newSalt: () => new Uint8Array(16) })
    assert.equal(await salted.hash(RIGHT), await salted.hash(RIGHT))
  })

  test('a hash with other costs is checked and asks for a new one', async () => {
    const hash = await open({ costs: LIGHT }).hash(RIGHT)
    const passwords = open()
    assert.deepEqual(await passwords.verify(hash, RIGHT), { matches: true, rehash: true })
    assert.deepEqual(await passwords.verify(hash, 'wrong'), { matches: false, rehash: false })
  })

  test('any string of 15 to 128 code points round-trips', async () => {
    const passwords = open({ costs: LIGHT })
    const text = fc.string({ unit: 'binary', minLength: 15, maxLength: 128 })
    await fc.assert(
      fc.asyncProperty(text, async (password) => {
        const hash = await passwords.hash(password)
        assert.deepEqual((await passwords.verify(hash, password)).matches, true)
        assert.deepEqual((await passwords.verify(hash, `${password}a`)).matches, false)
      }),
      { numRuns: 40 },
    )
  })

  test('one password typed composed or decomposed is one password', async () => {
    const passwords = open({ costs: LIGHT })
    const hash = await passwords.hash('Cafe\u0301 Zu\u0308rich')
    assert.equal((await passwords.verify(hash, 'Caf\u00e9 Z\u00fcrich')).matches, true)
    assert.equal((await passwords.verify(hash, 'Cafe\u0301 Zu\u0308rich')).matches, true)
    assert.equal((await passwords.verify(hash, 'Cafe Zurich')).matches, false)
  })

  test('an imported hash of decomposed bytes matches as sent, and is made again over the normal form', async () => {
    const passwords = open()
    const hash = await bcryptHash(Buffer.from('Cafe\u0301'), 10)
    assert.deepEqual(await passwords.verify(hash, 'Cafe\u0301'), { matches: true, rehash: true })
    assert.equal((await passwords.verify(hash, 'Caf\u00e9')).matches, false)
  })

  test('twenty at once all get their own answer', async () => {
    const passwords = open({ costs: LIGHT })
    const all = Array.from({ length: 20 }, (_, index) => `${RIGHT} ${index}`)
    const hashes = await Promise.all(all.map((password) => passwords.hash(password)))
    const answers = await Promise.all(hashes.map((hash, index) => passwords.verify(hash, `${RIGHT} ${index ^ 1}`)))
    assert.ok(answers.every(({ matches }) => !matches))
    const rights = await Promise.all(hashes.map((hash, index) => passwords.verify(hash, `${RIGHT} ${index}`)))
    assert.ok(rights.every(({ matches }) => matches))
  })
})

suite('foreign hashes', () => {
  const passwords = open()
  const formats = Map.groupBy(FOREIGN_HASHES, ({ format }) => format)

  for (const [format, vectors] of formats) {
    test(`${format}: ${vectors.length} vectors of other implementations match only their passwords`, async () => {
      assert.ok(vectors.length >= 3)
      for (const [index, { hash, password }] of vectors.entries()) {
        assert.equal(passwords.checkImport(hash), undefined)
        const wrong = index % 2 === 0 ? `${password} ` : password.slice(1)
        const [right, other] = await Promise.all([passwords.verify(hash, password), passwords.verify(hash, wrong)])
        const rehash = !hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$')
        assert.deepEqual(right, { matches: true, rehash }, `${hash} refuses its password`)
        assert.deepEqual(other, { matches: false, rehash: false }, `${hash} accepts another password`)
      }
    })
  }

  test('bcrypt judges 72 bytes and refuses more, so that nothing is cut off in silence', async () => {
    const head = 'x'.repeat(72)
    const hash = await bcryptHash(head, 10)
    assert.equal((await passwords.verify(hash, head)).matches, true)
    assert.equal((await passwords.verify(hash, `${head}a`)).matches, false)
    const cut = await bcryptHash(`${head}right`, 10)
    assert.equal((await passwords.verify(cut, `${head}wrong`)).matches, false)
  })

  test('a hash of ours tells apart passwords that agree in their first 72 bytes', async () => {
    const head = 'x'.repeat(72)
    const hash = await passwords.hash(`${head}right`)
    assert.equal((await passwords.verify(hash, `${head}right`)).matches, true)
    assert.equal((await passwords.verify(hash, `${head}wrong`)).matches, false)
  })

  for (const format of ['bcrypt 2b', 'pbkdf2 sha256', 'scrypt']) {
    test(`${format}: NUL bytes at the end do not make the same password`, async () => {
      const [vector] = formats.get(format) ?? []
      assert.ok(vector)
      assert.equal((await passwords.verify(vector.hash, `${vector.password}\0`)).matches, false)
      // What bcrypt repeats: the password, its NUL, and the password again.
      assert.equal((await passwords.verify(vector.hash, `${vector.password}\0${vector.password}`)).matches, false)
    })
  }
})

suite('what is refused before any work', () => {
  test('checking an import hashes nothing', () => {
    const passwords = open()
    const hashes = [...FOREIGN_HASHES.map(({ hash }) => hash), '$2b$31$'.padEnd(60, 'a'), 'nothing']
    const flaws = hashes.map((hash) => passwords.checkImport(hash)?.code).filter((code) => code !== undefined)
    assert.deepEqual(flaws, ['password.hash_cost_out_of_bounds', 'password.hash_unreadable'])
    assert.deepEqual(passwords.readLoad(), { running: 0, waiting: 0, finished: 0, refused: 0 })
  })

  for (const [name, password, code] of [
    ['a password of a mebibyte', 'a'.repeat(1024 * 1024), 'password.too_long'],
    ['a password of 4097 bytes in fewer characters', `${'é'.repeat(2048)}a`, 'password.too_long'],
    ['a lone surrogate', `${RIGHT}\ud800`, 'password.not_text'],
  ] as const) {
    test(`${name} is refused, whether there is a user or not`, async () => {
      const passwords = open()
      await assert.rejects(passwords.hash(password), isRefused(code))
      await assert.rejects(passwords.verify('$1$salt$', password), isRefused(code))
      await assert.rejects(passwords.verifyNothing(password), isRefused(code))
      assert.deepEqual(passwords.readLoad(), { running: 0, waiting: 0, finished: 0, refused: 0 })
    })
  }
})

suite('users who do not exist', () => {
  test('cost one check, like a hash that cannot be read and a password that cannot be judged', async () => {
    const passwords = open({ costs: LIGHT })
    await passwords.verifyNothing(RIGHT)
    assert.equal(passwords.readLoad().finished, 1)
    assert.deepEqual(await passwords.verify('unreadable', RIGHT), { matches: false, rehash: false })
    assert.equal(passwords.readLoad().finished, 2)
    const [bcrypt] = FOREIGN_HASHES.filter(({ format }) => format === 'bcrypt 2b')
    assert.deepEqual(await passwords.verify(bcrypt?.hash ?? '', 'x'.repeat(73)), { matches: false, rehash: false })
    assert.equal(passwords.readLoad().finished, 3)
  })
})

suite('the queue', () => {
  const settle = (works: readonly Promise<unknown>[]) => Promise.allSettled(works)

  test('a full queue refuses with the seconds to wait, and takes on work again later', async () => {
    // About 43 ms are expected of each: one runs, two wait until the tenth of a second is full.
    const passwords = open({ threads: 1, queueSeconds: 0.1 })
    const results = await settle(Array.from({ length: 30 }, () => passwords.hash(RIGHT)))
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    assert.equal(refusals.length, 27)
    for (const refusal of refusals) {
      assert.ok(refusal instanceof Refused)
      assert.equal(refusal.code, 'password.busy')
      assert.equal(refusal.kind, 'exhausted')
      assert.ok(refusal.retryAfterSeconds !== undefined && refusal.retryAfterSeconds >= 1)
    }
    assert.deepEqual(passwords.readLoad(), { running: 0, waiting: 0, finished: 3, refused: 27 })
    assert.match(await passwords.hash(RIGHT), /^\$argon2id/)
  })

  test('a caller who fills the queue is refused, and another one is not', async () => {
    let caller = 'greedy'
    const passwords = open({ costs: LIGHT, threads: 1, queueSeconds: 0.02, currentOwners: () => ['north', caller] })
    const flood = Array.from({ length: 50 }, () => passwords.hash(RIGHT))
    caller = 'modest'
    const hash = passwords.hash(RIGHT)
    const outcomes = await Promise.allSettled(flood)
    assert.ok(outcomes.some((one) => one.status === 'rejected' && isRefused('password.busy')(one.reason)))
    assert.match(await hash, /^\$argon2id/)
  })

  test('never more run at once than there are threads', async () => {
    const passwords = open({ threads: 2, costs: LIGHT })
    const works = Array.from({ length: 9 }, () => passwords.hash(RIGHT))
    assert.deepEqual(passwords.readLoad(), { running: 2, waiting: 7, finished: 0, refused: 0 })
    await Promise.all(works)
    assert.equal(passwords.readLoad().finished, 9)
  })

  test('a hash that is given up on at once does not make the queue believe that the machine is fast', async () => {
    const passwords = open({ threads: 1, queueSeconds: 0.1 })
    const broken = `$2b$14$${'a'.repeat(53)}`
    for (let count = 0; count < 50; count++) await passwords.verify(broken, RIGHT, 'north')
    const whole = `$2b$12$${'.'.repeat(53)}`
    const first = passwords.verify(whole, RIGHT, 'north')
    await assert.rejects(passwords.verify(whole, RIGHT, 'north'), isRefused('password.busy'))
    assert.deepEqual(await first, { matches: false, rehash: false })
  })

  test('imported hashes that need much memory stand in a line of their own', async () => {
    const passwords = open({ threads: 1, queueSeconds: 0.1 })
    const heavy = `$argon2id$v=19$m=${160 * 1024},t=1,p=1$c2FsdHNhbHQ$${'A'.repeat(43)}`
    const first = passwords.verify(heavy, RIGHT)
    await assert.rejects(passwords.verify(heavy, RIGHT), isRefused('password.busy'))
    assert.match(await passwords.hash(RIGHT), /^\$argon2id/)
    assert.deepEqual(await first, { matches: false, rehash: false })
  })

  test('a flood of expensive hashes of one group refuses neither cheap hashes nor those of another group', async () => {
    const passwords = open({ threads: 1, queueSeconds: 0.5 })
    const bcrypt14 = `$2b$14$${'a'.repeat(53)}`
    const flood = settle(Array.from({ length: 30 }, () => passwords.verify(bcrypt14, RIGHT, 'north')))
    const other = passwords.verify(bcrypt14, RIGHT, 'south')
    assert.deepEqual(passwords.readLoad('expensive'), { running: 1, waiting: 1, finished: 0, refused: 29 })
    for (let count = 0; count < 3; count++) await passwords.hash(RIGHT)
    assert.deepEqual(passwords.readLoad('usual'), { running: 0, waiting: 0, finished: 3, refused: 0 })
    assert.deepEqual(await other, { matches: false, rehash: false })
    const refusals = (await flood).filter((result) => result.status === 'rejected')
    assert.ok(refusals.every(({ reason }) => isRefused('password.busy')(reason)))
    assert.deepEqual(passwords.readLoad(), { running: 0, waiting: 0, finished: 5, refused: 29 })
  })

  test('a hash is expensive when it costs more than four of ours', async () => {
    const passwords = open({ threads: 1 })
    for (const [hash, isExpensive] of [
      [`$2b$11$${'a'.repeat(53)}`, false],
      [`$2b$12$${'a'.repeat(53)}`, true],
      [`$argon2id$v=19$m=19456,t=8,p=1$c2FsdHNhbHQ$${'A'.repeat(43)}`, false],
      [`$argon2id$v=19$m=19456,t=9,p=1$c2FsdHNhbHQ$${'A'.repeat(43)}`, true],
    ] as const) {
      const before = passwords.readLoad('expensive').finished
      await passwords.verify(hash, RIGHT)
      assert.equal(passwords.readLoad('expensive').finished - before, isExpensive ? 1 : 0, hash)
    }
  })

  test('closing finishes what was taken on and takes on nothing more', async () => {
    const passwords = open({ threads: 1, costs: LIGHT })
    const works = settle([passwords.hash(RIGHT), passwords.hash(RIGHT)])
    await passwords.close()
    assert.equal(passwords.readLoad().finished, 2)
    assert.ok((await works).every(({ status }) => status === 'fulfilled'))
    await assert.rejects(passwords.hash(RIGHT), /closed/)
  })
})

suite('the event loop', () => {
  /** How often the event loop came round while the work was under way. */
  const countTurns = async (work: Promise<unknown>): Promise<number> => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await work.finally(() => clearInterval(timer))
    return turns
  }

  test('continues while argon2 works', async () => {
    const passwords = open()
    await passwords.hash(RIGHT)
    assert.ok((await countTurns(passwords.hash(RIGHT))) > 0)
  })

  test('continues while a hundred thousand rounds of sha512-crypt run', async () => {
    const passwords = open()
    await passwords.verifyNothing(RIGHT)
    const hash = `$6$rounds=100000$salt$${'a'.repeat(86)}`
    assert.ok((await countTurns(passwords.verify(hash, RIGHT))) > 0)
  })

  test('reads files while every hashing thread is busy', async () => {
    const passwords = open({ costs: { ...ARGON2_COSTS, passes: 4 } })
    const works = Array.from({ length: 12 }, () => passwords.hash(RIGHT))
    await Promise.all(Array.from({ length: 8 }, () => readFile(new URL(import.meta.url))))
    assert.ok(passwords.readLoad().waiting > 0)
    await Promise.all(works)
  })
})
