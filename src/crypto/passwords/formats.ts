/** The table of all supported hash formats. To add one: its file, one line here, and vectors in the fixture. */
import { readArgon2 } from './argon2.ts'
import { readBcrypt, readBcryptOfSecret } from './bcrypt.ts'
import { readMd5Crypt } from './md5-crypt.ts'
import { readMd5Plain, readMd5Salted } from './md5-plain.ts'
import { readPbkdf2 } from './pbkdf2.ts'
import { readPhpass } from './phpass.ts'
import { type ReadHash, type Reading, unreadable } from './reading.ts'
import { readScrypt } from './scrypt.ts'
import { readSha2Crypt } from './sha2-crypt.ts'

const FORMATS: readonly ReadHash[] = [
  readArgon2,
  readBcrypt,
  readScrypt,
  readPbkdf2,
  readSha2Crypt,
  readMd5Crypt,
  readPhpass,
  readMd5Salted,
  readMd5Plain,
]

const LONGEST_HASH = 1024

/** Reads a stored hash and its costs without hashing anything. */
export function readHash(hash: string): Reading {
  if (hash.length > LONGEST_HASH) return unreadable(`A password hash has at most ${LONGEST_HASH} characters.`)
  for (const read of FORMATS) {
    const reading = read(hash)
    if (reading !== undefined) return reading
  }
  return unreadable(
    'Expected argon2i, argon2id, bcrypt, scrypt, pbkdf2, sha2-crypt, md5-crypt, phpass, drupal7, md5salted or an md5 in hex.',
  )
}

/** Reads the hash of a random secret, of a client or machine, that another product stores. */
export function readSecretHash(hash: string): Reading {
  return readBcryptOfSecret(hash) ?? readHash(hash)
}
