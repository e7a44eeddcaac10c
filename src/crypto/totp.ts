/**
 * Codes of authenticator apps: TOTP (RFC 6238) with the parameters that all apps support: SHA-1, six digits and 30
 * seconds. SHA-1 is secure here, because HMAC does not depend on collision resistance.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../kernel/instant.ts'
import { decodeBase32, encodeBase32 } from './base32.ts'
import type { RandomBytes } from './tokens.ts'

const DIGITS = 6
const STEP_MILLISECONDS = 30_000
/**
 * How many steps before and after the current one are accepted, because clocks differ and typing takes time (RFC 6238
 * §5.2).
 */
const DRIFT = 1
/** RFC 4226, section 4, R6: 160 bits are recommended. */
const SECRET_BYTES = 20
/** The length that some large providers use. Shorter secrets can be guessed from a few codes. */
const LEAST_BYTES = 10

/** A new secret in base32. */
export function newTotpSecret(random: RandomBytes = randomBytes): string {
  return encodeBase32(random(SECRET_BYTES))
}

/** Reads a base32 secret of another system and returns it in our form; undefined when it is invalid. */
export function readTotpSecret(typed: string): string | undefined {
  const bytes = decodeBase32(typed)
  return bytes === undefined || bytes.length < LEAST_BYTES ? undefined : encodeBase32(bytes)
}

/** The number of the 30-second step that contains an instant. */
export function totpStep(at: Instant): number {
  return Math.floor(at / STEP_MILLISECONDS)
}

/** The code of a step (RFC 4226 §5.3). Only the test vectors have more digits. */
export function totpCode(secret: string, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', decodeBase32(secret) ?? new Uint8Array())
    .update(counter)
    .digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The newest accepted step with this code; undefined when there is none. */
export function matchTotp(secret: string, typed: string, at: Instant): number | undefined {
  const code = typed.replaceAll(/\s/g, '')
  const now = totpStep(at)
  let found: number | undefined
  // Checks all steps, so that the time does not reveal which one matched.
  for (let step = now - DRIFT; step <= now + DRIFT; step++) if (isSame(totpCode(secret, step), code)) found = step
  return found
}

/** The URI that an app reads from a QR code, in the common form. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const about = `secret=${secret}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${about}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MILLISECONDS / 1000}`
}
