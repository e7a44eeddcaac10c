/** How the keys that sign SAML messages are carried. */
import { isKeyOfCertificate } from '../../crypto/certificate.ts'
import { refused } from '../../kernel/refusal.ts'
import { declare, nothingElse, privateKeysOf } from '../../module/carried.ts'
import type { SamlKeys } from './decider.ts'
import { samlKeyPlace, samlKeys } from './documents.ts'
import { samlRefusals } from './refusals.ts'

/** Service providers know the certificate: it continues only where the instance is the one that had it. */
export const carriedSamlKeys = declare(samlKeys, {
  as: 'saml-keys',
  after: ['web-keys'],
  secrets: { privateKeys: 'optional' },
  lives: (_: SamlKeys): _ is SamlKeys => true,
  describe({ keys, ...rest }, opened) {
    nothingElse(rest)
    return { keys: keys.map(({ secret: _, ...key }) => key), privateKeys: privateKeysOf(keys, opened) }
  },
  idOf: ({ instanceId }) => instanceId,
  async put({ app, work, draft, restores, leave }, before) {
    const { keys, privateKeys = {}, ...rest } = draft
    nothingElse(rest)
    if (before !== undefined) return
    const whole = keys.filter(({ keyId }) => privateKeys[keyId] !== undefined)
    if (!restores || whole.length === 0) {
      leave('SAML messages are signed with a new certificate here: give it to the service providers.')
      return
    }
    for (const key of whole) {
      const pem = privateKeys[key.keyId] ?? ''
      if (!isKeyOfCertificate(pem, key.certificate)) throw refused(samlRefusals, 'saml_key.unusable')
      const privateKey = await app.vault.seal(work, samlKeyPlace(app, key.keyId), pem)
      await work.decide(samlKeys, app.instanceId, { type: 'add', ...key, privateKey }, app.instanceId)
    }
  },
  remove: 'with its holder',
})
