/** The key that signs our requests to a SAML provider, with a certificate that is given to it. */
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { selfSigned } from '../../../crypto/certificate.ts'
import { instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { SamlCertificate } from '../events.ts'

const generate = promisify(generateKeyPair)

/** Providers keep a certificate that somebody copied. */
const VALID_MS = 3 * 365 * 86_400_000
/** Who verifies a certificate has a clock of their own. */
const EARLIER_MS = 86_400_000

/** Makes a key (PEM) with its certificate. It takes a while: never inside a write. */
export async function newOwnKey(app: App): Promise<{ readonly pem: string; readonly own: SamlCertificate }> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const at = app.clock()
  const expiresAt = instant(at + VALID_MS)
  const commonName = new URL(app.externalUrl).hostname.slice(0, 64)
  const times = { notBefore: at - EARLIER_MS, notAfter: expiresAt }
  const certificate = selfSigned({ privateKey, commonName, serial: randomBytes(16), ...times })
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), own: { certificate, expiresAt } }
}
