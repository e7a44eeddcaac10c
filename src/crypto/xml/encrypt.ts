/**
 * Encrypts an element for the owner of a key (XML Encryption 1.1): AES-256-GCM, whose key is encrypted with RSA-OAEP. CBC
 * is not offered: without a signature over it, an answer about padding gives the text away.
 */
import { constants, createCipheriv, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto'
import { DSIG } from './algorithms.ts'
import { element, type Xml } from './write.ts'

const XENC = 'http://www.w3.org/2001/04/xmlenc#'
const XENC11 = 'http://www.w3.org/2009/xmlenc11#'

/** OAEP as all service providers know it; its hash is no signature, and collisions do not weaken it. */
const OAEP = `${XENC}rsa-oaep-mgf1p`

/** A certificate as base64 of DER, and the cipher that its owner knows. */
export interface EncryptionKey {
  readonly certificate: string
  readonly cipher: 'aes256-gcm' | 'aes128-gcm'
}

/** The encrypted form of an element, with the key for its reader inside. */
export function encryptedData({ xml }: Xml, key: KeyObject, name: EncryptionKey['cipher'] = 'aes256-gcm'): Xml {
  const secret = randomBytes(name === 'aes256-gcm' ? 32 : 16)
  const iv = randomBytes(12)
  const cipher = createCipheriv(name === 'aes256-gcm' ? 'aes-256-gcm' : 'aes-128-gcm', secret, iv)
  const text = Buffer.concat([iv, cipher.update(xml, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, secret)
  const cipherData = (bytes: Buffer) =>
    element('xenc:CipherData', {}, element('xenc:CipherValue', {}, bytes.toString('base64')))
  const digest = element('ds:DigestMethod', { Algorithm: `${DSIG}sha1` })
  const encryptedKey = element('xenc:EncryptedKey', {}, [
    element('xenc:EncryptionMethod', { Algorithm: OAEP }, digest),
    cipherData(wrapped),
  ])
  return element('xenc:EncryptedData', { 'xmlns:xenc': XENC, Type: `${XENC}Element` }, [
    element('xenc:EncryptionMethod', { Algorithm: `${XENC11}${name}` }),
    element('ds:KeyInfo', { 'xmlns:ds': DSIG }, encryptedKey),
    cipherData(text),
  ])
}
