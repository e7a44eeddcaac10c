import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { recallToken, rememberToken } from './known-tokens.ts'

suite('known tokens', () => {
  test('a token is known by the digest of its header, and by nothing else', () => {
    rememberToken('digest', { tokenId: '1', hash: 'hash' })
    assert.deepEqual(recallToken('digest'), { tokenId: '1', hash: 'hash' })
    assert.equal(recallToken('another'), undefined)
    assert.equal(recallToken(undefined), undefined)
  })

  test('a token without a digest is not remembered', () => {
    rememberToken(undefined, { tokenId: '2', hash: 'hash' })
    assert.equal(recallToken(undefined), undefined)
  })

  test('the oldest of too many are forgotten', () => {
    rememberToken('first', { tokenId: '3', hash: 'hash' })
    for (let index = 0; index < 10_000; index++) rememberToken(`later ${index}`, { tokenId: '4', hash: 'hash' })
    assert.equal(recallToken('first'), undefined)
    assert.ok(recallToken('later 9999'))
  })
})
