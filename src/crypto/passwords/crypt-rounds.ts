/** The loop of md5-crypt and sha2-crypt: each round mixes the last digest with password and salt. */
import { hash } from 'node:crypto'

/** The last digest after `rounds` rounds, from `first` on. */
export function mixRounds(
  algorithm: 'md5' | 'sha256' | 'sha512',
  first: Buffer,
  password: Buffer,
  salt: Buffer,
  rounds: number,
): Buffer {
  const message = Buffer.alloc(2 * password.length + salt.length + first.length)
  let digest = first
  for (let round = 0; round < rounds; round++) {
    const isOdd = round % 2 === 1
    let length = (isOdd ? password : digest).copy(message, 0)
    if (round % 3 !== 0) length += salt.copy(message, length)
    if (round % 7 !== 0) length += password.copy(message, length)
    length += (isOdd ? digest : password).copy(message, length)
    digest = hash(algorithm, message.subarray(0, length), 'buffer')
  }
  return digest
}

/** Repeats `bytes` up to `length`. */
export function repeatTo(bytes: Buffer, length: number): Buffer {
  return length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, bytes)
}

/** The bytes of `digest` in the order in which crypt(3) writes them. */
export function reorder(digest: Buffer, order: readonly number[]): Buffer {
  return Buffer.from(order.map((index) => digest.readUInt8(index)))
}
