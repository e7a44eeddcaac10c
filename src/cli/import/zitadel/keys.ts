/** Opens the data keys with the master key of the source, and with them its secrets. Plain values stay in memory. */
import { createDecipheriv } from 'node:crypto'
import { CannotImport } from '../import.ts'
import type { CryptoValue } from './event.ts'

const KEY_BYTES = 32
const IV_BYTES = 16

function decrypt(key: Uint8Array, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-cfb', key, sealed.subarray(0, IV_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()])
}

/** A row of `system.encryption_keys`. */
export interface SealedKey {
  readonly id: string
  readonly key: string
}

/** The master key: 32 bytes of text, used as they are. An editor may have added a line break. */
export function readMasterKey(content: Buffer): Buffer {
  const key = content.length > KEY_BYTES ? Buffer.from(content.toString('utf8').replace(/\r?\n$/, '')) : content
  if (key.length === KEY_BYTES) return key
  throw new CannotImport(`The master key of ZITADEL has ${KEY_BYTES} bytes; the file has ${key.length}.`)
}

export class KeyRing {
  readonly #keys: ReadonlyMap<string, Buffer>

  constructor(masterKey: Buffer, sealed: readonly SealedKey[]) {
    this.#keys = new Map(
      sealed.map(({ id, key }) => {
        const bytes = Buffer.from(key, 'base64url')
        if (bytes.length === IV_BYTES + KEY_BYTES) return [id, decrypt(masterKey, bytes)]
        throw new CannotImport(`The encryption key ${id} in system.encryption_keys is damaged.`)
      }),
    )
  }

  /** The key itself; undefined when there is none with this ID. */
  key(id: string): Buffer | undefined {
    return this.#keys.get(id)
  }

  /**
   * The plain text. The cipher does not notice a wrong key, so that what is not UTF-8 was opened with one.
   * `where`: what the secret belongs to, for the operator.
   */
  open(value: CryptoValue, where: string): string {
    const key = this.#keys.get(value.keyId)
    if (value.isHash) throw new CannotImport(`The secret of ${where} is a hash, not a secret.`)
    if (key === undefined) {
      throw new CannotImport(
        `The secret of ${where} is encrypted with the key "${value.keyId}", which is not in system.encryption_keys. Nothing was imported.`,
      )
    }
    const sealed = Buffer.from(value.crypted, 'base64')
    if (sealed.length < IV_BYTES) throw new CannotImport(`The secret of ${where} is damaged. Nothing was imported.`)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(decrypt(key, sealed))
    } catch {
      throw wrongMasterKey(where)
    }
  }
}

/** A secret that opens to something else than it must be. */
export function wrongMasterKey(where: string): CannotImport {
  return new CannotImport(
    `The secret of ${where} cannot be decrypted: the master key is not the one of this ZITADEL. Nothing was imported.`,
  )
}
