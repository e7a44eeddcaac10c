import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import { type Factors, proofsOf, strengthOf } from './strength.ts'

const NOON = instant(1_800_000_000_000)

function key(use: 'passkey' | 'second_factor', userVerified: boolean): Factors {
  return { webAuthN: { checkedAt: NOON, keyId: 'key', use, userVerified } }
}

suite('how strong a sign-in is', () => {
  const cases: readonly (readonly [name: string, factors: Factors, strength: number])[] = [
    ['nothing', {}, 0],
    ['a password', { password: NOON }, 1],
    ['an identity provider', { intent: NOON }, 1],
    ['a password and an identity provider, which are both first factors', { password: NOON, intent: NOON }, 1],
    ['a passkey that verified the user', key('passkey', true), 2],
    ['a passkey that did not', key('passkey', false), 1],
    ['a password and a passkey that did not verify the user', { password: NOON, ...key('passkey', false) }, 1],
    ['a password and a security key', { password: NOON, ...key('second_factor', false) }, 2],
    ['a provider and a security key', { intent: NOON, ...key('second_factor', true) }, 2],
    ['a password and a code of an app', { password: NOON, totp: NOON }, 2],
    ['a password and a recovery code', { password: NOON, recoveryCode: NOON }, 2],
    ['a provider and a code by mail', { intent: NOON, otpEmail: NOON }, 2],
    ['a code alone', { otpSms: NOON }, 0],
    ['a security key alone', key('second_factor', true), 0],
    ['a security key and a code', { totp: NOON, ...key('second_factor', true) }, 0],
  ]
  for (const [name, factors, strength] of cases) {
    test(`${name}: ${strength}`, () => assert.equal(strengthOf(proofsOf(factors)), strength))
  }
})
