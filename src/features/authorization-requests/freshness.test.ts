import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import { isForThisRequest, isFreshEnough } from './freshness.ts'

const NOON = instant(1_800_000_000_000)
function after(seconds: number) {
  return instant(NOON + seconds * 1000)
}

suite('a sign-in', () => {
  test('is for a request when it was not before it', () => {
    assert.equal(isForThisRequest(NOON, NOON), true)
    assert.equal(isForThisRequest(NOON, after(1)), false)
    assert.equal(isForThisRequest(NOON, undefined), false, 'a request that begins now')
  })

  test('is fresh at any age where nothing is asked for', () => {
    assert.equal(isFreshEnough(NOON, { isForced: false, since: undefined }, after(1e9)), true)
  })

  test('is fresh up to the age that is asked for', () => {
    const asked = { isForced: false, maxAge: 60, since: undefined }
    assert.equal(isFreshEnough(NOON, asked, after(60)), true)
    assert.equal(isFreshEnough(NOON, asked, after(60.001)), false)
    assert.equal(isFreshEnough(NOON, { ...asked, maxAge: 0 }, after(1)), false)
  })

  test('that is forced is fresh only when it was made for the request', () => {
    assert.equal(isFreshEnough(NOON, { isForced: true, since: undefined }, NOON), false)
    assert.equal(isFreshEnough(NOON, { isForced: true, maxAge: 600, since: after(1) }, after(2)), false)
    assert.equal(isFreshEnough(NOON, { isForced: true, since: NOON }, after(1)), true)
  })

  test('for the request is new, however long it took', () => {
    assert.equal(isFreshEnough(NOON, { isForced: true, maxAge: 1, since: NOON }, after(3600)), true)
  })
})
