import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CODE_ALPHABET } from './codes.ts'
import { findRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

suite('recovery codes', () => {
  test('are ten characters in two groups, no two alike', () => {
    const { codes, hashes } = newRecoveryCodes(50)
    for (const code of codes) assert.match(code, new RegExp(`^[${CODE_ALPHABET}]{5}-[${CODE_ALPHABET}]{5}$`))
    assert.equal(new Set(codes).size, 50)
    assert.equal(new Set(hashes).size, 50)
  })

  test('are made again until no two are alike', () => {
    let calls = 0
    const { codes } = newRecoveryCodes(2, (count) => new Uint8Array(count).fill(calls++ < 3 ? 0 : calls))
    assert.equal(codes.length, 2)
    assert.notEqual(codes[0], codes[1])
  })

  test('are found among their own, as people type them', () => {
    const { codes, key, hashes } = newRecoveryCodes(3)
    const [, second = ''] = codes
    for (const typed of [second, second.toLowerCase(), second.replace('-', ''), ` ${second.replace('-', ' ')} `]) {
      assert.equal(findRecoveryCode(key, hashes, typed), 1)
    }
  })

  test('are not found by another code, under another key or among other hashes', () => {
    const { codes, key, hashes } = newRecoveryCodes(3)
    const other = newRecoveryCodes(3)
    const [first = ''] = codes
    assert.equal(findRecoveryCode(key, hashes, other.codes[0] ?? ''), undefined)
    assert.equal(findRecoveryCode(other.key, hashes, first), undefined)
    assert.equal(findRecoveryCode(key, other.hashes, first), undefined)
    assert.equal(findRecoveryCode(key, [], first), undefined)
    for (const typed of ['', first.slice(1), `${first}A`]) assert.equal(findRecoveryCode(key, hashes, typed), undefined)
  })
})
