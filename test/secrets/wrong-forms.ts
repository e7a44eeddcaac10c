/** Secrets in requests that nobody should send: every answer is an error, and an error repeats nothing. */
import type { DescField, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { rulesOf } from '../contract/limit-cases.ts'
import { requestWith } from '../contract/limit-values.ts'
import type { SecretClient } from './secret-client.ts'
import { requestFields } from './secret-fields.ts'

/** Longer than any text may be. */
const LONG = 60

function inFormOf(field: DescField, secret: string): JsonValue {
  if (field.message !== undefined) return { id: secret, rawId: secret, response: { signature: secret }, type: secret }
  const isBytes = field.fieldKind === 'scalar' && field.scalar === ScalarType.BYTES
  return isBytes ? Buffer.from(secret).toString('base64') : secret
}

/** A code is shorter than a canary: as much of it as is allowed. */
function fitting(field: DescField, secret: string): string {
  const rules = rulesOf(field)
  const max = rules?.type.case === 'string' ? Number(rules.type.value.maxLen) : 0
  return max > 0 && max < secret.length ? secret.slice(0, max) : secret
}

/** Every field that takes a secret, in every wrong way, over JSON. */
export async function exerciseWrongForms(client: SecretClient): Promise<void> {
  for (const { method, steps } of requestFields) {
    const field = steps.at(-1)?.field
    if (field === undefined) continue
    const path = `/${method.parent.typeName}/${method.name}`
    const headers = { authorization: `Bearer ${client.admin}`, 'content-type': 'application/json' }
    const post = (body: string, more: Record<string, string> = {}) =>
      client.sendRaw(path, { method: 'POST', headers: { ...headers, ...more }, body })
    const holding = (value: JsonValue): JsonObject => requestWith(method.input, steps, value)
    const secret = client.canary()
    // A good value for somebody who is not there, or a bad one.
    await client.call(method, holding(inFormOf(field, fitting(field, secret))), { isRefused: true })
    await post(JSON.stringify(holding(inFormOf(field, secret.repeat(LONG)))))
    for (const value of [{ [secret]: secret }, [secret], [[secret]]]) await post(JSON.stringify(holding(value)))
    await post(JSON.stringify({ ...holding(inFormOf(field, secret)), notInTheContract: secret }))
    const text = JSON.stringify(holding(secret))
    await post(text.slice(0, text.lastIndexOf(client.mark) + client.mark.length))
    await post(text.replace(client.mark, `${client.mark}\\x`))
    await post(`${text}${secret}`)
    await post(text, { authorization: `Bearer ${secret}` })
    await post(text, { authorization: `Bearer signet_pat_${client.mark.padEnd(64, 'x')}` })
    await post(text, { 'content-type': 'application/proto' })
    await post(text, { 'content-type': 'text/plain' })
    await post(text, { 'content-encoding': 'gzip' })
  }
}

const PAGES = [
  '/',
  '/verify-email',
  '/set-password',
  '/accept-invitation',
  '/forgot-password',
  '/setup',
  '/idps/callback',
  '/inbox',
  '/ui/login',
  '/v2/users/nobody',
  '/v2/sessions/nobody',
  '/metrics',
  '/openapi.json',
  '/readyz',
]

/** Secrets in paths, queries, cookies, headers and forms. Pages show people what they typed, so only others are read. */
export async function exerciseAddresses(client: SecretClient): Promise<void> {
  const headers = { authorization: `Bearer ${client.admin}` }
  for (const page of PAGES) {
    const secret = client.canary()
    const isPage = !page.startsWith('/v2') && page !== '/metrics'
    const parameters = new URLSearchParams(
      ['code', 'password', 'newPassword', 'state', 'token', 'sessionToken', 'access_token', 'userId'].map((name) => [
        name,
        secret,
      ]),
    )
    await client.sendRaw(`${page}?${parameters}`, { headers }, isPage)
    const cookie = `signet-browser=${secret}; signet-session=${secret}`
    await client.sendRaw(
      page,
      { headers: { ...headers, cookie, 'x-request-id': 'mine', referer: `https://a/${secret}` } },
      isPage,
    )
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: client.url }
    await client.sendRaw(page, { method: 'POST', headers: form, body: parameters.toString() }, isPage)
    await client.sendRaw(`${page}/${encodeURIComponent(secret)}`, { headers }, isPage)
  }
  await client.sendRaw(`/management/v1/users/${client.canary()}`, { headers })
  await client.sendRaw(`/management/v1/idps/${client.canary()}?clientSecret=${client.canary()}`, { headers })
  await client.sendRaw('/v2/users/human', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(client.canary())}` },
  })
}
