/** The hashes of Auth0 in the forms that `src/crypto/passwords` reads. */
import type { Members } from '../json/members.ts'

/** A hash, or why there is none; undefined where there is no password. */
export type FoundPassword = { readonly hash: string } | { readonly left: string } | undefined

function bare(base64: string): string {
  return base64.replace(/=+$/, '')
}

/** The bytes of a value with its encoding, as base64 without padding. */
function bytesOf(value: Members): string {
  const encoding = value.maybeText('encoding') ?? 'base64'
  const text = value.text('value')
  if (encoding === 'hex') return bare(Buffer.from(text, 'hex').toString('base64'))
  return encoding === 'utf8' ? bare(Buffer.from(text, 'utf8').toString('base64')) : bare(text)
}

/** `$pbkdf2-sha512$i=100000,l=64$salt$hash` with its rounds as we write them. */
function pbkdf2Of(text: string): string | undefined {
  const [, digest, rounds, salt = '', hash = ''] =
    /^\$pbkdf2-(\w+)\$i=(\d+)(?:,l=\d+)?\$([^$]+)\$([^$]+)$/.exec(text) ?? []
  return digest === undefined ? undefined : `$pbkdf2-${digest}$${rounds}$${bare(salt)}$${bare(hash)}`
}

function scryptOf(custom: Members): string | undefined {
  const cost = Math.log2(custom.number('cost') ?? 16_384)
  if (!Number.isInteger(cost)) return undefined
  const costs = `ln=${cost},r=${custom.number('blockSize') ?? 8},p=${custom.number('parallelization') ?? 1}`
  return `$scrypt$${costs}$${bytesOf(custom.inner('salt'))}$${bytesOf(custom.inner('hash'))}`
}

/** What somebody imported into Auth0 with its own parameters. */
function customHash(custom: Members): string | undefined {
  const algorithm = custom.text('algorithm')
  const value = custom.inner('hash').text('value')
  if (algorithm === 'bcrypt' || algorithm === 'argon2') return value
  if (algorithm === 'pbkdf2') return pbkdf2Of(value)
  if (algorithm === 'scrypt') return scryptOf(custom)
  const isHex = (custom.inner('hash').maybeText('encoding') ?? 'hex') === 'hex'
  return algorithm === 'md5' && isHex && !custom.has('salt') ? value.toLowerCase() : undefined
}

/** The password of a user: in their own record, or in that of the file of hashes. */
export function passwordOf(user: Members, hashes: ReadonlyMap<string, string>, id: string): FoundPassword {
  const hash = user.maybeText('password_hash') ?? user.maybeText('passwordHash') ?? hashes.get(id)
  if (hash !== undefined) return { hash }
  if (!user.has('custom_password_hash')) return undefined
  const custom = customHash(user.inner('custom_password_hash'))
  if (custom !== undefined) return { hash: custom }
  return { left: 'The password stays behind: its hash is of a kind that is not checked here. The user resets it.' }
}
