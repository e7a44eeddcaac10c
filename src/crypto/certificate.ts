/** Self-signed certificates (RFC 5280). They carry a key and a name; who trusts one does so because of where it came from. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const NULL = 0x05
const OBJECT_ID = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18

/** sha256WithRSAEncryption and commonName, as their bytes. */
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  const hex = size.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

/** Years before 2050 have two digits (RFC 5280 §4.1.2.5). */
function time(at: number): Buffer {
  const digits = new Date(at)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
  return digits < '2050' ? der(UTC_TIME, Buffer.from(digits.slice(2))) : der(GENERALIZED_TIME, Buffer.from(digits))
}

export interface CertificateDraft {
  readonly privateKey: KeyObject
  readonly commonName: string
  /** 8 to 20 random bytes. */
  readonly serial: Uint8Array
  readonly notBefore: number
  readonly notAfter: number
}

/** A certificate of an RSA key for itself, as base64 of DER. */
export function selfSigned({ privateKey, commonName, serial, notBefore, notAfter }: CertificateDraft): string {
  const algorithm = der(SEQUENCE, der(OBJECT_ID, SHA256_WITH_RSA), der(NULL))
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, Buffer.from(commonName)))))
  const version = der(0xa0, der(INTEGER, Buffer.from([2])))
  // A serial number is positive.
  const number = der(INTEGER, Buffer.concat([Buffer.from([0x01]), serial]))
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const validity = der(SEQUENCE, time(notBefore), time(notAfter))
  const content = der(SEQUENCE, version, number, algorithm, name, validity, name, publicKey)
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey))
  return der(SEQUENCE, content, algorithm, signature).toString('base64')
}

/** The public key of a certificate; undefined when it is none. */
export function keyOfCertificate(base64: string): KeyObject | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).publicKey
  } catch {
    return undefined
  }
}

/** Whether a private key in PEM is that of a certificate. */
export function isKeyOfCertificate(pem: string, certificate: string): boolean {
  try {
    return keyOfCertificate(certificate)?.equals(createPublicKey(createPrivateKey(pem))) === true
  } catch {
    // The error of OpenSSL could contain the key.
    return false
  }
}

/** The certificate in PEM. */
export function pemOf(base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
