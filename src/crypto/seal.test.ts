import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { keyRing, newKey } from './key-ring.ts'
import { keyIdOf, open, SealBroken, seal } from './seal.ts'

const key = newKey()
const ring = keyRing([key])
const place = { kind: 'identity_provider', id: 'p1', member: 'clientSecret' }

suite('sealing', () => {
  test('what was sealed opens again, at its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (plain, id, member) => {
        const here = { kind: 'k', id, member }
        assert.equal(open(ring, here, seal(ring, here, plain)), plain)
      }),
    )
  })

  test('the same value never has the same sealed text twice, and names its key', () => {
    const [one, two] = [seal(ring, place, 'same'), seal(ring, place, 'same')]
    assert.notEqual(one, two)
    assert.equal(keyIdOf(one), key.id)
    assert.ok(!one.includes(Buffer.from('same').toString('base64url')))
  })

  test('two sealed values that changed places do not open', () => {
    const other = { ...place, id: 'p2' }
    const [one, two] = [seal(ring, place, 'one'), seal(ring, other, 'two')]
    assert.throws(() => open(ring, place, two), SealBroken)
    assert.throws(() => open(ring, other, one), SealBroken)
    for (const wrong of [
      { ...place, kind: 'smtp' },
      { ...place, member: 'token' },
      { ...place, id: 'p1"' },
    ]) {
      assert.throws(() => open(ring, wrong, one), SealBroken)
    }
  })

  test('places whose parts only look alike when joined are different places', () => {
    const sealed = seal(ring, { kind: 'a', id: 'b/c', member: 'd' }, 'x')
    assert.throws(() => open(ring, { kind: 'a/b', id: 'c', member: 'd' }, sealed), SealBroken)
  })

  test('no change of a single character goes unnoticed', () => {
    const sealed = seal(ring, place, 'the secret')
    for (let at = 0; at < sealed.length; at++) {
      for (const char of ['A', 'b', '0', '.', '=', '']) {
        const changed = sealed.slice(0, at) + char + sealed.slice(at + 1)
        if (changed !== sealed) assert.throws(() => open(ring, place, changed), SealBroken, `at ${at}: ${char}`)
      }
    }
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => open(ring, place, sealed.slice(0, length)), SealBroken)
    }
    assert.throws(() => open(ring, place, `${sealed}A`), SealBroken)
  })

  test('random text never opens and never breaks anything else', () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
        assert.throws(() => open(ring, place, text), SealBroken)
        const forged = `seal1.${key.id}.${Buffer.from(bytes).toString('base64url')}`
        assert.throws(() => open(ring, place, forged), SealBroken)
      }),
    )
  })

  test('an old key opens what it sealed, the active one seals, and without the old key nothing opens', () => {
    const sealed = seal(ring, place, 'before')
    const next = newKey()
    const both = keyRing([next, key])
    assert.equal(open(both, place, sealed), 'before')
    const resealed = seal(both, place, open(both, place, sealed))
    assert.equal(keyIdOf(resealed), next.id)
    assert.equal(open(keyRing([next]), place, resealed), 'before')
    assert.throws(() => open(keyRing([next]), place, sealed), SealBroken)
  })
})
