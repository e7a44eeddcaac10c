/**
 * Encrypts a stream of any length with AES-256-GCM, frame by frame. A frame's nonce is a counter after a random prefix, and
 * its associated data say whether it is the last one: frames cannot be exchanged, repeated or left out unnoticed.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'

const FRAME_BYTES = 64 * 1024
const TAG_BYTES = 16
const SALT_BYTES = 32
const LENGTH_BYTES = 4
const PREFIX_BYTES = 4

/** Each file has a key of its own, so that no nonce is ever used twice with one. */
function fileKey(key: Uint8Array, salt: Uint8Array): { readonly key: Buffer; readonly prefix: Buffer } {
  const derived = Buffer.from(hkdfSync('sha256', key, salt, 'signet backup', 32 + PREFIX_BYTES))
  return { key: derived.subarray(0, 32), prefix: derived.subarray(32) }
}

function nonceOf(prefix: Buffer, counter: number): Buffer {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce)
  nonce.writeBigUInt64BE(BigInt(counter), PREFIX_BYTES)
  return nonce
}

function associated(header: string, counter: number, isLast: boolean): Buffer {
  return Buffer.from(`${counter === 0 ? header : ''}|${counter}|${isLast ? 'last' : 'more'}`)
}

/** Encrypts what flows through; `header` is authenticated too. */
export function encryptFrames(key: Uint8Array, header: string): Transform {
  const salt = randomBytes(SALT_BYTES)
  const { key: own, prefix } = fileKey(key, salt)
  let kept = Buffer.alloc(0)
  let counter = 0
  const seal = (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(prefix, counter))
    cipher.setAAD(associated(header, counter, isLast))
    counter += 1
    const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(body.length)
    return Buffer.concat([length, body])
  }
  let isBegun = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (!isBegun) this.push(salt)
      isBegun = true
      kept = Buffer.concat([kept, chunk])
      // The last frame is sealed at the end, so one is always kept.
      while (kept.length > FRAME_BYTES) {
        this.push(seal(kept.subarray(0, FRAME_BYTES), false))
        kept = kept.subarray(FRAME_BYTES)
      }
      done()
    },
    flush(done) {
      if (!isBegun) this.push(salt)
      this.push(seal(kept, true))
      done()
    },
  })
}

/** Decrypts what `encryptFrames` wrote; fails for every change. */
export function decryptFrames(key: Uint8Array, header: string): Transform {
  let own: ReturnType<typeof fileKey> | undefined
  let kept = Buffer.alloc(0)
  let counter = 0
  const openFrame = (body: Buffer, isLast: boolean): Buffer => {
    const { key: fileSecret, prefix } = own as ReturnType<typeof fileKey>
    const decipher = createDecipheriv('aes-256-gcm', fileSecret, nonceOf(prefix, counter))
    decipher.setAAD(associated(header, counter, isLast))
    decipher.setAuthTag(body.subarray(body.length - TAG_BYTES))
    counter += 1
    return Buffer.concat([decipher.update(body.subarray(0, body.length - TAG_BYTES)), decipher.final()])
  }
  const take = (isEnd: boolean): Buffer[] => {
    const opened: Buffer[] = []
    if (own === undefined) {
      if (kept.length < SALT_BYTES) return opened
      own = fileKey(key, kept.subarray(0, SALT_BYTES))
      kept = kept.subarray(SALT_BYTES)
    }
    for (;;) {
      if (kept.length < LENGTH_BYTES) return opened
      const length = kept.readUInt32BE(0)
      if (length < TAG_BYTES || length > FRAME_BYTES + TAG_BYTES) throw new Error('a frame has a wrong length')
      const rest = kept.length - LENGTH_BYTES - length
      // Whether a complete frame is the last one is known only when more came, or nothing will.
      if (rest < 0 || (rest === 0 && !isEnd)) return opened
      const body = kept.subarray(LENGTH_BYTES, LENGTH_BYTES + length)
      kept = kept.subarray(LENGTH_BYTES + length)
      opened.push(openFrame(body, kept.length === 0 && isEnd))
    }
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        kept = Buffer.concat([kept, chunk])
        for (const plain of take(false)) this.push(plain)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        for (const plain of take(true)) this.push(plain)
        done(kept.length === 0 && own !== undefined ? null : new Error('the last frame is incomplete'))
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
