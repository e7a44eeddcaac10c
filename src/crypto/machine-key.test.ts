import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { suite, test } from 'node:test'
import { instant } from '../kernel/instant.ts'
import { formatMachineKeyFile, newMachineKeyPair, readPublicKey } from './machine-key.ts'

suite('machine keys', () => {
  test('the two halves belong together and have 2048 bits', async () => {
    const { publicKey, privateKey } = await newMachineKeyPair()
    const text = Buffer.from('hello')
    assert.ok(verify('sha256', text, publicKey, sign('sha256', text, privateKey)))
    assert.equal(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength, 2048)
    assert.equal(readPublicKey(publicKey), publicKey)
  })

  test('the key file says whose it is and when it ends', async () => {
    const { privateKey } = await newMachineKeyPair()
    const file = { keyId: 'k1', userId: 'u1', privateKey, expiresAt: instant(0) }
    const parsed = JSON.parse(Buffer.from(formatMachineKeyFile(file)).toString())
    assert.deepEqual(Object.keys(parsed), ['type', 'keyId', 'key', 'expirationDate', 'userId'])
    assert.equal(parsed.type, 'serviceaccount')
    assert.equal(parsed.expirationDate, '1970-01-01T00:00:00.000Z')
    assert.equal(createPrivateKey(parsed.key).asymmetricKeyType, 'rsa')
  })

  test('a brought key is RSA, on the curve P-256, or Ed25519', () => {
    const pairs = [
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ed25519'),
    ]
    for (const { publicKey } of pairs) {
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
      assert.equal(readPublicKey(pem), pem)
    }
  })

  test('a brought key counts by its content, whichever label it has', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    for (const pem of [
      spki,
      pkcs1,
      spki.replaceAll('PUBLIC', 'RSA PUBLIC'),
      pkcs1.replaceAll('RSA PUBLIC', 'PUBLIC'),
    ]) {
      assert.equal(readPublicKey(pem), spki)
    }
  })

  test('a brought key that is short, private, of another sort or nonsense is not taken', () => {
    const spki = { type: 'spki', format: 'pem' } as const
    const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
    const short = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: spki,
      privateKeyEncoding: pkcs8,
    })
    const curve = generateKeyPairSync('x25519', { publicKeyEncoding: spki, privateKeyEncoding: pkcs8 })
    for (const pem of [short.publicKey, curve.publicKey, short.privateKey, '', 'PUBLIC KEY-----']) {
      assert.equal(readPublicKey(pem), undefined)
    }
  })
})
