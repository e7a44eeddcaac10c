/** Requests pages over HTTP/1.1 and HTTP/2, and reads their responses. */
import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import type { JsonObject } from '@bufbuild/protobuf'
import type { Authenticator } from './authenticator.ts'
import { ORIGIN } from './session-world.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  header(name: string): string | undefined
}

export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as a form, unless it is text. */
  readonly form?: Readonly<Record<string, string>> | string
}

export type Ask = (path: string, question?: Question) => Promise<Reply>

const FORM_TYPE = 'application/x-www-form-urlencoded'

function partsOf({ method, headers = {}, form }: Question) {
  return {
    method: method ?? (form === undefined ? 'GET' : 'POST'),
    headers: { ...(form === undefined ? {} : { 'content-type': FORM_TYPE }), ...headers },
    body: typeof form === 'object' ? new URLSearchParams(form).toString() : form,
  }
}

/** Requests over HTTP/1.1. */
export function askHttp1(url: string): Ask {
  return async (path, question = {}) => {
    const { method, headers, body } = partsOf(question)
    const reply = await fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...(body && { body }) })
    return { status: reply.status, text: await reply.text(), header: (name) => reply.headers.get(name) ?? undefined }
  }
}

/** Requests over HTTP/2, where a client can name any host. */
export function askHttp2(url: string): Ask {
  return (path, question = {}) => {
    const { method, headers, body } = partsOf(question)
    const { host, ...others } = headers as Record<string, string>
    const session = connect(url)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    session.on('error', reject)
    const stream = session.request({
      ':method': method,
      ':path': path,
      ...(host === undefined ? {} : { ':authority': host }),
      ...others,
    })
    stream.on('error', reject)
    stream.on('response', async (received) => {
      const text = Buffer.concat(await stream.toArray()).toString()
      const header = (name: string) => received[name]?.toString()
      resolve({ status: Number(received[':status']), text, header })
    })
    stream.end(body)
    return promise.finally(() => session.close())
  }
}

/** Asserts that a response redirects the browser. */
export function leadsTo(reply: Reply, location: string): void {
  assert.deepEqual([reply.status, reply.header('location')], [303, location], reply.text)
}

function entity(name: string): string {
  return { '&lt;': '<', '&gt;': '>', '&quot;': '"' }[name] ?? '&'
}

/** The text of a page without its markup. */
export function plainText({ text }: Reply): string {
  return text.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:lt|gt|quot|amp);/g, entity)
}

/** Asserts that a page contains these sentences, in this order. */
export function says(reply: Reply, ...sentences: readonly string[]): void {
  const text = plainText(reply)
  let from = 0
  for (const sentence of sentences) {
    const at = text.indexOf(sentence, from)
    assert.ok(at >= 0, `the page does not say “${sentence}” there: ${text}`)
    from = at + sentence.length
  }
}

/** Asserts that a page does not contain this sentence. */
export function saysNot(reply: Reply, sentence: string): void {
  assert.ok(!plainText(reply).includes(sentence), `the page says “${sentence}”`)
}

/** The headers of a browser with the token of a session. */
export function holding(token: string): { readonly cookie: string } {
  return { cookie: `other=1; signet_session=${token}` }
}

/** The session token in the cookie of a response. */
export function tokenIn(reply: Reply): string {
  const cookie = reply.header('set-cookie') ?? ''
  return /^(?:__Host-)?signet_session=([\w-]+); /.exec(cookie)?.[1] ?? assert.fail(`there is no session in “${cookie}”`)
}

/** The headers of a browser that keeps the cookie which a reply sets. */
export function keeping(reply: Reply): { readonly cookie: string } {
  const [cookie] = (reply.header('set-cookie') ?? '').split(';', 1)
  return { cookie: cookie || assert.fail('there is no cookie') }
}

/** The value of a hidden field of a page. */
export function hiddenIn({ text }: Reply, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
  return value?.replaceAll('&amp;', '&') ?? assert.fail(`there is no field “${name}”`)
}

/** The response to the script of a page: the options for the browser and, for a new key, its ID. */
export function optionsIn(reply: Reply): { readonly publicKey: JsonObject; readonly keyId: string } {
  return JSON.parse(reply.text)
}

/** The response of an authenticator to the options of a new key, as form fields. */
export function answerWithNewKey(authenticator: Authenticator, reply: Reply) {
  const { publicKey, keyId } = optionsIn(reply)
  return { keyId, credential: JSON.stringify(authenticator.create({ publicKey }, { origin: ORIGIN })) }
}

/** The response of an authenticator to options that request a key. */
export function answerWithKey(authenticator: Authenticator, reply: Reply) {
  const { publicKey } = optionsIn(reply)
  return { credential: JSON.stringify(authenticator.get({ publicKey }, { origin: ORIGIN })) }
}

/** Signs in with a passkey like the script of the pages does, and returns the token. */
export async function signInWithPasskey(ask: Ask, authenticator: Authenticator, headers = {}): Promise<string> {
  const asked = await ask('/ui/login/passkey', { form: {}, headers })
  const form = answerWithKey(authenticator, asked)
  return tokenIn(await ask('/ui/login/passkey', { form, headers: { ...headers, ...keeping(asked) } }))
}
