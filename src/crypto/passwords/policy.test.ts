import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { checkPassword, DEFAULT_PASSWORD_POLICY, describePasswordFlaw, type PasswordFlaw } from './policy.ts'

const GOOD = 'violet tram on tuesday'

const COMMON = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

function isRefusedFor(flaw: PasswordFlaw, password: string, words: readonly string[] = []): boolean {
  return checkPassword(password, DEFAULT_PASSWORD_POLICY, words).includes(flaw)
}

suite('password policy: length', () => {
  test('a sentence is a password', () => assert.deepEqual(checkPassword(GOOD), []))
  test('seven characters are too few and eight are enough', () => {
    assert.deepEqual(checkPassword('tr4mvQx'), ['too_short'])
    assert.deepEqual(checkPassword('tr4mvQxz'), [])
  })
  test('two hundred characters are accepted and one more is not', () => {
    const long = `${GOOD} `.repeat(10)
    assert.deepEqual(checkPassword(long.slice(0, 200)), [])
    assert.deepEqual(checkPassword(long.slice(0, 201)), ['too_long'])
  })
  test('characters are code points, not bytes or UTF-16 units', () => {
    assert.deepEqual(checkPassword('🔑🚋🌧🦊🍏🪁🎻'), ['too_short'])
    assert.deepEqual(checkPassword('🔑🚋🌧🦊🍏🪁🎻🧭'), [])
    assert.deepEqual(checkPassword('🔑'.repeat(200)), [])
    assert.deepEqual(checkPassword('🔑'.repeat(201)), ['too_long'])
  })
  test('marks that compose do not lengthen a password', () => {
    assert.deepEqual(checkPassword('\u1112\u1161\u11ab\u1100\u1173\u11af\u110b\u1161'), ['too_short'])
  })
  test('a megabyte is too long', () => assert.deepEqual(checkPassword('a'.repeat(1024 * 1024)), ['too_long']))
  test('the lengths are settings', () => {
    const policy = { ...DEFAULT_PASSWORD_POLICY, minLength: 15, maxLength: 20 }
    assert.deepEqual(checkPassword('tram on tuesday', policy), [])
    assert.deepEqual(checkPassword('tram on tuesda', policy), ['too_short'])
    assert.deepEqual(checkPassword(GOOD, policy), ['too_long'])
  })
})

suite('password policy: composition', () => {
  const strict = {
    ...DEFAULT_PASSWORD_POLICY,
    needsLowercase: true,
    needsUppercase: true,
    needsNumber: true,
    needsSymbol: true,
  }

  test('all that is missing is told at once', () => {
    assert.deepEqual(checkPassword('ｑｗｌｋｊｚｖｘｍ', strict), ['no_uppercase', 'no_number', 'no_symbol'])
    assert.deepEqual(checkPassword('7340 9218 55', strict), ['no_lowercase', 'no_uppercase'])
  })
  test('letters of every script count', () => assert.deepEqual(checkPassword('Трамвай 42', strict), []))
  test('no class is asked for by default', () => assert.deepEqual(checkPassword('трамвайвдождь'), []))
})

suite('password policy: common passwords', () => {
  test('the list has at least three thousand that the default length lets through', () => {
    assert.ok(COMMON.filter((password) => password.length >= 8).length >= 3000)
  })
  test('each of the list is refused as common', () => {
    assert.deepEqual(
      COMMON.filter((password) => !isRefusedFor('common', password)),
      [],
    )
  })
  test('case and width do not help', () => {
    assert.deepEqual(checkPassword('PassWord1'), ['common'])
    assert.deepEqual(checkPassword('ｐａｓｓｗｏｒｄ１'), ['common'])
  })
})

suite('password policy: own names', () => {
  const words = ['Ada Lovelace', 'ada.lovelace', 'countess@analytical-engines.example', 'Analytical Engines', 'bob']

  for (const password of [
    'ada.lovelace',
    'ADA.LOVELACE',
    'Lovelace',
    'lovelace1815',
    'Ada.Lovelace!2026',
    'lovelacelovelace',
    'countess@analytical-engines.example',
    'Countess1',
    'analytical engines',
    '#AnalyticalEngines1',
    'ｌｏｖｅｌａｃｅ',
  ]) {
    test(`${password} is refused`, () => assert.ok(isRefusedFor('own_name', password, words)))
  }
  for (const password of ['lovelace met babbage', 'bobsleigh run', 'lovelace🐘🚲🌋🎻🧭', GOOD]) {
    test(`${password} is accepted`, () => assert.deepEqual(checkPassword(password, DEFAULT_PASSWORD_POLICY, words), []))
  }
  test('a short login name is refused as the whole password', () => {
    assert.ok(isRefusedFor('own_name', 'Bob', words))
  })
  test('empty words refuse nothing', () => {
    assert.deepEqual(checkPassword(GOOD, DEFAULT_PASSWORD_POLICY, ['', ' ', '@', '.']), [])
    assert.deepEqual(checkPassword('', DEFAULT_PASSWORD_POLICY, ['']), ['too_short'])
  })
})

test('every flaw has a sentence that names its limit', () => {
  assert.equal(describePasswordFlaw('too_short'), 'The password must have at least 8 characters.')
  assert.match(describePasswordFlaw('too_long', { ...DEFAULT_PASSWORD_POLICY, maxLength: 64 }), /64/)
})
