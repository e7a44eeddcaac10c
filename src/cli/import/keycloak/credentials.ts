/** The credentials of a user: a password, an authenticator app, passkeys and security keys. */
import { encodeBase32 } from '../../../crypto/base32.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { CarriedHuman, PasskeyDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { decide } from '../members/table.ts'
import { CREDENTIAL } from './user-members.ts'

/** The hosts for which passkeys and security keys were made; undefined where nobody knows. */
export interface RelyingParties {
  readonly passkeys: string | undefined
  readonly securityKeys: string | undefined
}

export interface Credentials {
  readonly password?: { readonly hash: string; readonly changedAt: Instant }
  readonly totpSecret?: string
  readonly recoveryCodes: CarriedHuman['recoveryCodes']
  readonly passkeys: readonly PasskeyDraft[]
  /** Whether Keycloak asks for a second factor after the password, and none is carried. */
  readonly losesSecondFactor: boolean
  /** One sentence for each that stays behind. */
  readonly left: readonly string[]
}

interface Found {
  password?: { readonly hash: string; readonly changedAt: Instant }
  totpSecret?: string
  recoveryCodes: CarriedHuman['recoveryCodes']
  readonly passkeys: PasskeyDraft[]
  hasLeftFactor: boolean
  readonly left: string[]
}

function bare(base64: string): string {
  return base64.replace(/=+$/, '')
}

function madeAt(credential: Members, otherwise: Instant): Instant {
  return instant(credential.number('createdDate') ?? otherwise)
}

const VERSIONS: Readonly<Record<string, number>> = { '1.0': 16, '1.3': 19 }

/** The hash of a password in the form of `src/crypto/passwords`, which decides whether it can be used. */
function hashOf(credential: Members): string {
  const secret = credential.parsed('secretData')
  const data = credential.parsed('credentialData')
  const algorithm = data.maybeText('algorithm') ?? 'pbkdf2'
  const [salt, value] = [bare(secret.maybeText('salt') ?? ''), bare(secret.text('value'))]
  const iterations = data.number('hashIterations') ?? 1
  if (/^pbkdf2(-sha(1|256|512))?$/.test(algorithm)) return `$${algorithm}$${iterations}$${salt}$${value}`
  if (algorithm !== 'argon2') return secret.text('value')
  const parameters = data.inner('additionalParameters')
  const one = (name: string, otherwise: string) => parameters.texts(name)[0] ?? otherwise
  const costs = `m=${one('memory', '7168')},t=${iterations},p=${one('parallelism', '1')}`
  return `$argon2${one('type', 'id')}$v=${VERSIONS[one('version', '1.3')] ?? 0}$${costs}$${salt}$${value}`
}

/** The secret of an authenticator app in base32; undefined when its codes are of another form than ours. */
function totpOf(credential: Members): string | undefined {
  const data = credential.parsed('credentialData')
  const value = credential.parsed('secretData').text('value')
  const isOurs =
    (data.maybeText('subType') ?? 'totp') === 'totp' &&
    (data.number('digits') ?? 6) === 6 &&
    (data.number('period') ?? 30) === 30 &&
    (data.maybeText('algorithm') ?? 'HmacSHA1') === 'HmacSHA1'
  if (!isOurs) return undefined
  return data.maybeText('secretEncoding') === 'BASE32' ? value : encodeBase32(Buffer.from(value, 'utf8'))
}

function base64Url(text: string): string {
  return Buffer.from(text, 'base64').toString('base64url')
}

function passkeyOf(credential: Members, rpId: string, use: PasskeyDraft['use'], otherwise: Instant): PasskeyDraft {
  const data = credential.parsed('credentialData')
  const aaguid = data.maybeText('aaguid')
  const transports = data.texts('transports')
  return {
    id: credential.text('id'),
    name: credential.maybeText('userLabel') ?? '',
    use,
    credentialId: base64Url(data.text('credentialId')),
    publicKey: base64Url(data.text('credentialPublicKey')),
    rpId,
    signCount: data.number('counter') ?? 0,
    ...(aaguid !== undefined && { aaguid }),
    ...(transports.length > 0 && { transports }),
    createdAt: madeAt(credential, otherwise),
  }
}

function readOne(credential: Members, type: string, parties: RelyingParties, otherwise: Instant, found: Found): void {
  if (type === 'password') {
    if (found.password === undefined)
      found.password = { hash: hashOf(credential), changedAt: madeAt(credential, otherwise) }
    else found.left.push('A second password stays behind.')
  } else if (type === 'otp') {
    const secret = totpOf(credential)
    const label = credential.maybeText('userLabel') ?? ''
    if (secret === undefined) {
      found.hasLeftFactor = true
      found.left.push(`The authenticator “${label}” stays behind: codes have 6 digits of SHA-1 for 30 s here.`)
    } else if (found.totpSecret === undefined) found.totpSecret = secret
    else found.left.push(`The authenticator “${label}” stays behind: a user has one.`)
  } else if (type === 'webauthn' || type === 'webauthn-passwordless') {
    const isPasskey = type === 'webauthn-passwordless'
    const rpId = isPasskey ? parties.passkeys : parties.securityKeys
    if (rpId === undefined)
      throw credential.wrong('type', 'without passkeys unless --old-url names the host of Keycloak')
    found.passkeys.push(passkeyOf(credential, rpId, isPasskey ? 'passkey' : 'second-factor', otherwise))
  } else if (type === 'password-history') found.left.push('Former passwords stay behind: they may be used again.')
  else {
    found.hasLeftFactor = true
    if (type === 'recovery-authn-codes') found.left.push('Recovery codes stay behind: the user creates new ones.')
    else found.left.push(`A credential of the type ${type} stays behind.`)
  }
}

const READ = new Set(['password', 'otp', 'webauthn', 'webauthn-passwordless'])

/** Whether everything in a credential is known: what nobody knows can say for what it counts. */
function isTrusted(credential: Members, type: string, found: Found): boolean {
  const closed = READ.has(type) ? decide(credential, CREDENTIAL).closed : []
  if (closed.length === 0) return true
  if (type !== 'password') found.hasLeftFactor = true
  found.left.push(`A credential of the type ${type} stays behind. ${closed.join(' ')}`)
  return false
}

/** What a user signs in with. */
export function credentialsOfUser(user: Members, parties: RelyingParties, otherwise: Instant): Credentials {
  const found: Found = { recoveryCodes: [], passkeys: [], hasLeftFactor: false, left: [] }
  for (const credential of user.list('credentials')) {
    const type = credential.text('type')
    // As exports were until 2019.
    if (type === 'password' && credential.has('hashedSaltedValue')) {
      found.left.push('The password has the form of Keycloak before version 9: the user resets it.')
      continue
    }
    if (!isTrusted(credential, type, found)) continue
    readOne(credential, type, parties, otherwise, found)
  }
  const { hasLeftFactor, ...rest } = found
  const keepsFactor = found.totpSecret !== undefined || found.passkeys.some(({ use }) => use === 'second-factor')
  return { ...rest, losesSecondFactor: hasLeftFactor && !keepsFactor, left: [...new Set(found.left)] }
}
