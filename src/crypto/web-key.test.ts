import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { WebKeyType } from '../kernel/web-key-type.ts'
import { generateAhead, newWebKeyPair } from './web-key.ts'

const ED25519: WebKeyType = { type: 'ed25519' }
const P256: WebKeyType = { type: 'ecdsa', curve: 'P-256' }

suite('key pairs that are generated ahead', () => {
  test('each is used once', async () => {
    generateAhead(ED25519, 2)
    const pairs = await Promise.all([ED25519, ED25519, ED25519].map(newWebKeyPair))
    assert.equal(new Set(pairs.map(({ privateKey }) => privateKey)).size, 3)
  })

  test('none is used as a key of another type', async () => {
    generateAhead(ED25519, 1)
    assert.equal((await newWebKeyPair(P256)).publicKey.crv, 'P-256')
    assert.equal((await newWebKeyPair(ED25519)).publicKey.crv, 'Ed25519')
  })
})
