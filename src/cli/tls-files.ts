/** Reads the certificate of the port and its key; what is wrong with them is said by the name of the setting. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Config } from '../config/index.ts'
import type { PortOptions } from '../http/port/listener.ts'
import { meaningOf, SettingRefused } from './setting-refused.ts'

/** The certificate and its key, if there are any; rejects when they cannot be read, or do not belong together. */
export async function readTls({
  tlsCertFile,
  tlsKeyFile,
}: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): Promise<PortOptions['tls']> {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined
  // One after the other: if both are missing, the same one is named each time.
  const cert = await readPem('SIGNET_TLS_CERT_FILE', tlsCertFile)
  const key = await readPem('SIGNET_TLS_KEY_FILE', tlsKeyFile)
  const certificate = readCertificate(cert, tlsCertFile)
  if (!certificate.checkPrivateKey(readPrivateKey(key, tlsKeyFile))) {
    throw new SettingRefused(
      'SIGNET_TLS_KEY_FILE',
      `the key in ${tlsKeyFile} does not belong to the certificate in ${tlsCertFile}.`,
    )
  }
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const { message } = error as Error
    throw new SettingRefused('SIGNET_TLS_CERT_FILE', `the certificate in ${tlsCertFile} cannot be used: ${message}.`)
  }
  return { cert, key }
}

/** Says what is in a file that is not what it should be. */
function contentOf(pem: Buffer): string {
  const [, label] = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem.toString('latin1')) ?? []
  if (pem.length === 0) return 'is empty'
  return label === undefined ? 'is not a PEM file: it has no line such as -----BEGIN …-----' : `contains a ${label} and`
}

function readCertificate(pem: Buffer, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    const found = contentOf(pem)
    const problem = found.startsWith('contains') ? `${found} no certificate that can be read` : found
    throw new SettingRefused('SIGNET_TLS_CERT_FILE', `${file} ${problem}.`)
  }
}

function readPrivateKey(pem: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    const found = contentOf(pem)
    const isEncrypted = pem.includes('ENCRYPTED') || (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE'
    const why = isEncrypted
      ? 'is encrypted; store the key without a passphrase'
      : `${found} no private key that can be read`
    throw new SettingRefused(
      'SIGNET_TLS_KEY_FILE',
      `${file} ${found.startsWith('contains') || isEncrypted ? why : found}.`,
    )
  }
}

async function readPem(setting: 'SIGNET_TLS_CERT_FILE' | 'SIGNET_TLS_KEY_FILE', file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new SettingRefused(setting, `${file} ${meaningOf(error)}.`)
  }
}
