/** When rotation creates, activates and removes keys. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import { type WebKeysCommand, webKeysDecider } from './decider.ts'
import { nextStep, PUBLISHED_FIRST_MS } from './rotation.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const RSA = { type: 'rsa', bits: 2048, hash: 'sha256' } as const

function add(keyId: string, at: number, keyType: Extract<WebKeysCommand, { type: 'add' }>['keyType'] = RSA) {
  return { type: 'add', keyId, keyType, publicKey: {}, privateKey: `sealed ${keyId}`, at: instant(at) } as const
}

function activate(keyId: string, at: number, isRotation = false) {
  return { type: 'activate', keyId, at: instant(at), isRotation } as const
}

function given(...commands: readonly WebKeysCommand[]) {
  return commands.reduce((state, command) => {
    const { events, refusal } = webKeysDecider.decide(command, state)
    assert.equal(refusal, undefined)
    return events.reduce(webKeysDecider.evolve, state)
  }, webKeysDecider.initial)
}

function at(time: number, rotationMs = 90 * DAY) {
  return { at: instant(time), rotationMs, longestLifetimeMs: 12 * HOUR }
}

suite('rotation of web keys', () => {
  const started = [add('1', 0), activate('1', 0), add('2', 0)]

  test('nothing happens before its time, or when it is off', () => {
    assert.equal(nextStep(given(...started), at(90 * DAY - 1)), undefined)
    assert.equal(nextStep(given(...started), at(900 * DAY, 0)), undefined)
  })

  test('the next key is activated when it is time', () => {
    assert.deepEqual(nextStep(given(...started), at(90 * DAY)), { type: 'activate', keyId: '2' })
  })

  test('without a next key one of the same type is created, and activated only after clients could fetch it', () => {
    const alone = [add('1', 0), activate('1', 0)]
    assert.deepEqual(nextStep(given(...alone), at(90 * DAY)), { type: 'add', keyType: RSA })
    const added = given(...alone, add('2', 90 * DAY))
    assert.equal(nextStep(added, at(90 * DAY + PUBLISHED_FIRST_MS - 1)), undefined)
    assert.deepEqual(nextStep(added, at(90 * DAY + PUBLISHED_FIRST_MS)), { type: 'activate', keyId: '2' })
  })

  test('a key of another type is not activated', () => {
    const state = given(
      add('1', 0),
      activate('1', 0),
      add('2', 0, { type: 'ed25519' }),
      add('3', 0, { ...RSA, bits: 4096 }),
    )
    assert.deepEqual(nextStep(state, at(90 * DAY)), { type: 'add', keyType: RSA })
  })

  test('on request it happens before its time, and once', () => {
    const requested = given(...started, { type: 'request_rotation' }, { type: 'request_rotation' })
    assert.deepEqual(nextStep(requested, at(DAY, 0)), { type: 'activate', keyId: '2' })
    const rotated = given(...started, { type: 'request_rotation' }, activate('2', DAY, true))
    assert.equal(nextStep(rotated, at(DAY + HOUR, 0)), undefined)
  })

  test('a replaced key is removed when the last token that it signed has expired', () => {
    const rotated = given(...started, activate('2', 90 * DAY, true))
    assert.equal(nextStep(rotated, at(90 * DAY + 13 * HOUR - 1)), undefined)
    assert.deepEqual(nextStep(rotated, at(90 * DAY + 13 * HOUR)), { type: 'remove', keyId: '1' })
  })

  test('a key of another product that retires is removed in the same way, and any other one stays', () => {
    const restored = { status: 'inactive', changedAt: instant(DAY), isRetired: true } as const
    const bring = { type: 'bring', keyId: '3', keyType: RSA, publicKey: {}, at: instant(DAY) } as const
    assert.equal(nextStep(given(...started, bring), at(30 * DAY)), undefined)
    const retiring = given(...started, { ...bring, restored })
    assert.equal(nextStep(retiring, at(DAY + 13 * HOUR - 1)), undefined)
    assert.deepEqual(nextStep(retiring, at(DAY + 13 * HOUR)), { type: 'remove', keyId: '3' })
  })

  test('a key that an administrator deactivated is theirs to delete, and one that is active again stays', () => {
    assert.equal(nextStep(given(...started, activate('2', DAY)), at(30 * DAY)), undefined)
    const back = given(...started, activate('2', DAY, true), activate('1', DAY + 1), activate('2', DAY + 2))
    assert.equal(nextStep(back, at(30 * DAY)), undefined)
  })
})

suite('web keys', () => {
  const decide = (command: WebKeysCommand, ...before: readonly WebKeysCommand[]) =>
    webKeysDecider.decide(command, given(...before))

  test('exactly one is active', () => {
    const { keys } = given(add('1', 0), add('2', 1), add('3', 2), activate('1', 3), activate('3', 4))
    assert.deepEqual(
      keys.map(({ status }) => status),
      ['inactive', 'initial', 'active'],
    )
  })

  test('the active key is not removed; removing one that does not exist is no error', () => {
    assert.equal(decide({ type: 'remove', keyId: '1' }, add('1', 0), activate('1', 0)).refusal, 'web_key.active')
    assert.deepEqual(decide({ type: 'remove', keyId: '2' }, add('1', 0)), { events: [] })
  })

  test('activating the active key changes nothing, and an unknown one is refused', () => {
    assert.deepEqual(decide(activate('1', 5), add('1', 0), activate('1', 0)), { events: [] })
    assert.equal(decide(activate('2', 5), add('1', 0)).refusal, 'web_key.not_found')
  })

  test('a text that was sealed again meanwhile is not overwritten', () => {
    const command = { type: 'reseal', keyId: '1', before: 'other', privateKey: 'new' } as const
    assert.deepEqual(decide(command, add('1', 0)), { events: [] })
  })

  test('there are at most 50', () => {
    const many = Array.from({ length: 50 }, (_, index) => add(String(index), 0))
    assert.equal(decide(add('one more', 0), ...many).refusal, 'web_key.too_many')
  })
})
