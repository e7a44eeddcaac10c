/** A client that gives every secret it sends or gets to the watch, and every answer without those it asked for. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type DescMethodUnary, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf'
import { decodeBase32 } from '../../src/crypto/base32.ts'
import { nameOf, type Parted, partMessage } from './secret-fields.ts'
import type { Watch } from './secret-watch.ts'

/** Hashes of passwords are kept as they come, until the next sign-in replaces them. */
const KEPT_AS_GIVEN = /\.hash$|^hashedPassword\.value$/
/** What a provider told about an account is shown as it came, and its token names the nonce that it was asked with. */
const NONCE_IS_SHOWN = /RetrieveIdentityProviderIntent|^what a target of actions/
/** What is random in the proof of a passkey; the rest of it is public. */
const PROOF = new Set(['signature', 'clientDataJSON'])

export interface Asking {
  readonly bearer?: string
  /** The request is not one that anybody would take; whatever comes back is looked through. */
  readonly isRefused?: boolean
}

/** Opens the client for a server. */
export function openClient(url: string, admin: string, watch: Watch) {
  // Every canary holds this mark, so that one search finds them all.
  const mark = `kanarie${randomBytes(8).toString('hex')}`
  let count = 0
  const accepted = new Set<string>()
  const returned = new Set<string>()
  watch.keep(mark, 'a canary')

  const keepToken = (token: string, from: string): void => {
    watch.keep(token, from)
    // The part of it that is random, in bytes.
    const [, body] = /^signet_[a-z]+_([\w-]{64})$/.exec(token) ?? []
    if (body !== undefined) watch.keep(Buffer.from(body, 'base64url').subarray(16), from)
  }

  const keepBytes = (bytes: Buffer, from: string): void => {
    watch.keep(bytes, from)
    const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----((?:.|\s)+?)-----END/.exec(bytes.toString())?.[1]
    if (pem === undefined) return
    const lines = pem.split(/\\n|\n/).filter((line) => line.length === 64)
    assert.ok(lines.length > 0, from)
    for (const line of lines.slice(1)) watch.keep(Buffer.from(line, 'base64'), from)
  }

  const keepValue = ({ path, field, value }: Parted['secrets'][number], method: DescMethodUnary): void => {
    const from = nameOf(method, path)
    if (typeof value === 'object' && value !== null) {
      for (const [name, leaf] of Object.entries((value as JsonObject).response ?? {})) {
        if (PROOF.has(name)) watch.keep(String(leaf), from)
      }
      return
    }
    const text = String(value)
    // The field that a canary was sent in is found by its mark.
    if (text === '' || text.includes(mark)) return
    // The address of a form is in the metadata of the service provider; only one with the message in it is secret.
    if (/SAMLService\/CreateResponse url$/.test(from) && !text.includes('SAMLResponse=')) return
    if (field.fieldKind === 'scalar' && field.scalar === ScalarType.BYTES) keepBytes(Buffer.from(text, 'base64'), from)
    else if (KEPT_AS_GIVEN.test(path)) watch.keep(text, from, /^the database/)
    else keepToken(text, from)
    const totp = /secret$|^otpCode$/i.test(path) ? decodeBase32(text) : undefined
    if (totp !== undefined && totp.length >= 16) watch.keep(totp, from)
    for (const [name, parameter] of URL.canParse(text) ? new URL(text).searchParams : []) {
      if (['state', 'secret', 'code'].includes(name)) watch.keep(parameter, `${from} ?${name}`)
      if (name === 'nonce') watch.keep(parameter, `${from} ?nonce`, NONCE_IS_SHOWN)
    }
  }

  const send = async (path: string, init: RequestInit, name: string): Promise<Response> => {
    const bearer = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '')
    if (bearer !== undefined && !bearer.includes(mark)) keepToken(bearer, 'a bearer')
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init })
    const headers = [...response.headers].filter(([header]) => header !== 'location' && header !== 'set-cookie')
    watch.look(`the headers of ${name}`, JSON.stringify(headers))
    return response
  }

  /** Calls a method with a message in JSON; what was refused though it must not be fails the test. */
  const call = async (method: DescMethodUnary, message: JsonObject, asking: Asking = {}): Promise<JsonObject> => {
    const { bearer = admin, isRefused = false } = asking
    const request = partMessage(method.input, message)
    for (const secret of request.secrets) keepValue(secret, method)
    const name = `${method.parent.typeName}/${method.name}`
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await send(`/${name}`, { method: 'POST', headers, body: JSON.stringify(message) }, name)
    const text = await response.text()
    if (!response.ok) {
      watch.look(`an error of ${name}`, text)
      assert.ok(isRefused, `${name} ${JSON.stringify(message)}: ${text}`)
      assert.ok(response.status < 500, `${name}: ${text}`)
      return {}
    }
    const reply = partMessage(method.output, JSON.parse(text) as JsonObject)
    for (const secret of reply.secrets) {
      keepValue(secret, method)
      returned.add(nameOf(method, secret.path))
    }
    for (const { path } of request.secrets) accepted.add(nameOf(method, path))
    watch.look(`the reply of ${name}`, JSON.stringify(reply.rest))
    return JSON.parse(text) as JsonObject
  }

  /** Sends anything anywhere; the body of the answer is looked through unless it is said to hold the secret. */
  const sendRaw = async (path: string, init: RequestInit, isShown = false): Promise<Response> => {
    const name = `${init.method ?? 'GET'} ${path.slice(0, 60).replaceAll(mark, '…')}`
    const response = await send(path, init, name)
    assert.ok(response.status < 500, `${name}: ${response.status}`)
    if (!isShown) watch.look(`the answer to ${name}`, await response.clone().text())
    return response
  }

  return {
    url,
    admin,
    mark,
    watch,
    call,
    sendRaw,
    accepted,
    returned,
    /** A new secret that a policy for passwords takes, too. */
    canary: (): string => `${mark}-Aa1!-${++count}`,
    next: (): number => ++count,
  }
}

export type SecretClient = ReturnType<typeof openClient>

/** A member of a reply that must be a text. */
export function textOf(reply: JsonObject, name: string): string {
  const value: JsonValue | undefined = reply[name]
  return typeof value === 'string' && value !== '' ? value : assert.fail(`no ${name} in ${JSON.stringify(reply)}`)
}
