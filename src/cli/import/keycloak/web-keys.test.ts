import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite, test } from 'node:test'
import { readRealm } from '../../../../test/support/foreign-exports.ts'

suite('keys of a realm', () => {
  test('KC5: a signing key that was disabled is not carried', async () => {
    const key = (name: string, config: object) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const text = privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')
      return { name, providerId: 'rsa-generated', config: { privateKey: [text], kid: [name], ...config } }
    }
    const keys = [
      key('active', { enabled: ['true'], active: ['true'] }),
      key('passive', { active: ['false'] }),
      key('revoked', { enabled: ['false'], active: ['true'] }),
    ]
    const components = { 'org.keycloak.keys.KeyProvider': keys }
    const drafts = await readRealm({ components }, { oldKeys: true })
    assert.deepEqual(
      drafts.of('web-key').map(({ id }) => id),
      ['active', 'passive'],
    )
    assert.match(drafts.reasons('revoked'), /disabled in Keycloak/)
  })

  test('KC6: keys of a realm are published only if they are wanted, and retire', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const text = privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')
    const key = { name: 'k', providerId: 'rsa-generated', config: { privateKey: [text] } }
    const realm = { components: { 'org.keycloak.keys.KeyProvider': [key] } }
    const drafts = await readRealm(realm)
    assert.equal(drafts.of('web-key').length, 0)
    assert.match(drafts.reasons(''), /not published.*--old-keys/)
    const wanted = await readRealm(realm, { oldKeys: true })
    assert.deepEqual(
      wanted.of('web-key').map(({ retires }) => retires),
      [true],
    )
  })
})
