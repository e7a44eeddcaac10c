/** Hands a request of our port to the OpenID engine, which expects the objects of `node:http`, and collects its answer. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { readTrialTicket } from '../../features/applications/index.ts'
import { oidcLifetimes } from '../../features/settings/index.ts'
import { findPerson } from '../../features/sign-in/index.ts'
import { reportClient } from '../../features/sign-ins/index.ts'
import { loginClientOf } from '../../http/login-client.ts'
import { type PageAnswer, type PageHeaders, type PageRequest, UnreadableForm } from '../../http/page.ts'
import type { App } from '../../module/app.ts'
import { OAuthError, rejectUnstorable } from '../answers.ts'
import { applicationByAssertion } from '../assertions.ts'
import { readNonce, requireNonce } from '../dpop-nonces.ts'
import { readCredentials } from '../machine-clients.ts'
import { ROUTES } from '../routes.ts'
import { attach, type EngineRequest, progressOf } from './context.ts'
import { engineOf, UNUSED_COOKIE } from './engine.ts'
import type { ExplainedRefusal } from './refusals.ts'
import { withResourceKeys } from './resources.ts'
import { storeTokens } from './token-request.ts'

/** The request headers that the engine reads. */
const HEADERS = [
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'dpop',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
]

/** A request of HTTP/1.1 or HTTP/2 as the engine expects it. */
function incoming(request: PageRequest, externalUrl: URL, body: string): IncomingMessage {
  // The engine asks a socket only whether the connection is encrypted; behind a proxy, that is what users see.
  const socket = { encrypted: externalUrl.protocol === 'https:', remoteAddress: request.peer } as unknown as Socket
  const query = withResourceKeys(request.query).toString()
  const headers: Record<string, string> = { host: externalUrl.host }
  for (const name of HEADERS) {
    const value = request.header(name)
    if (value !== undefined) headers[name] = value
  }
  // Errors are JSON everywhere but at the endpoint that browsers visit.
  if (!request.path.startsWith(ROUTES.authorization)) headers.accept = 'application/json'
  const chunks = body === '' ? [] : [Buffer.from(body)]
  // Also of an empty form: without a length there is no body, and the engine would miss its type.
  if (request.method === 'POST') headers['content-length'] = String(chunks[0]?.length ?? 0)
  const message = Object.assign(Readable.from(chunks, { objectMode: false }), {
    method: request.method,
    url: query === '' ? request.path : `${request.path}?${query}`,
    headers,
    socket,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  }) as unknown as IncomingMessage
  return message
}

/** Resolves with what was written, when the engine ends the response. */
function collect(response: ServerResponse): Promise<PageAnswer> {
  return new Promise((resolve) => {
    response.end = ((chunk?: unknown) => {
      const body = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : ''
      resolve(answerOf(response, body))
      return response
    }) as ServerResponse['end']
  })
}

function answerOf(response: ServerResponse, body: string | Uint8Array): PageAnswer {
  const headers: Record<string, string | readonly string[]> = {}
  let contentType = 'application/json; charset=utf-8'
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value === undefined || name === 'content-length' || name === 'connection') continue
    if (name === 'content-type') contentType = String(value)
    else if (name === 'set-cookie') headers[name] = [value].flat().map(String).filter(isKept)
    else headers[name] = Array.isArray(value) ? value : String(value)
  }
  return { status: response.statusCode, contentType, body, headers: headers as PageHeaders }
}

function isKept(cookie: string): boolean {
  return !cookie.startsWith(`${UNUSED_COOKIE}=`)
}

export interface BridgeOptions {
  /** The session token of the hosted pages that the browser has. */
  readSession(request: PageRequest): string | undefined
  /** A page that tells the user about an error. */
  errorPage(
    request: PageRequest,
    error: string,
    description: string | undefined,
    status?: number,
    explained?: ExplainedRefusal,
  ): PageAnswer
  /** Counts an anonymous request that is stored; false: there were too many from this address of the network. */
  mayStartFrom(address: string): boolean
}

/** The body as text; the engine itself complains about a wrong content type. */
async function readBody(request: PageRequest): Promise<string> {
  if (request.method !== 'POST' || request.header('content-type') === undefined) return ''
  try {
    return (await request.readForm()).toString()
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 415) return ''
    throw error
  }
}

/**
 * The body as the engine gets it. A client that proves itself by an assertion is checked here, by the rules that machines
 * have too; the engine is shown a secret in its place, which counts for this request only.
 */
async function withoutAssertion(
  app: App,
  authorization: string | undefined,
  text: string,
  { mayStart, nonce }: Pick<EngineRequest, 'mayStart' | 'nonce'>,
) {
  const form = withResourceKeys(new URLSearchParams(text))
  if (!form.has('client_assertion')) return { text: form.toString() }
  readCredentials(authorization, form)
  const around = { mayStart, requireNonce: () => requireNonce(nonce) }
  const clientId = await applicationByAssertion(app, form, around).catch(async (error: unknown) => {
    // Whom an assertion names is known for sure only if it is valid; the request may name the client, too.
    const named = form.get('client_id')
    const refused = { clientId: named ?? '', what: 'client_authentication', value: 'private_key_jwt' } as const
    if (error instanceof OAuthError && error.error === 'invalid_client' && named !== null) {
      await reportClient(app, refused)
    }
    throw error
  })
  const proven = { clientId, secret: randomUUID() }
  form.delete('client_assertion')
  form.delete('client_assertion_type')
  form.set('client_id', proven.clientId)
  form.set('client_secret', proven.secret)
  return { text: form.toString(), proven }
}

/** Answers a request with the engine, or throws what it could not handle. `body` is given where it was read before. */
export async function askEngine(
  app: App,
  request: PageRequest,
  { readSession, errorPage, mayStartFrom }: BridgeOptions,
  body?: string,
  onClient?: (clientId: string) => void,
): Promise<PageAnswer> {
  const token = readSession(request)
  const ticket = request.path === ROUTES.authorization ? request.query.get('trial') : null
  const [given, lifetimes, person, trial, nonce] = await Promise.all([
    body ?? readBody(request),
    oidcLifetimes(app),
    token === undefined ? undefined : findPerson(app, token),
    ticket === null ? undefined : readTrialTicket(app, ticket),
    readNonce(app, request.header('dpop')),
  ])
  rejectUnstorable(request.query)
  rejectUnstorable(new URLSearchParams(given))
  const mayStart = () => mayStartFrom(request.client)
  const { text, proven } = await withoutAssertion(app, request.header('authorization'), given, { mayStart, nonce })
  let failure: { readonly error: unknown } | undefined
  const message = incoming(request, new URL(app.externalUrl), text)
  attach(message, {
    app,
    lifetimes,
    person,
    loginClientId: loginClientOf(request),
    trial,
    nonce,
    mayStart,
    requestId: request.requestId,
    errorPage: (error, description, explained) => errorPage(request, error, description, undefined, explained),
    ...(onClient && { onClient }),
    ...(proven && { proven }),
    onError(error) {
      failure ??= { error }
    },
  })
  const response = new ServerResponse(message)
  const answer = collect(response)
  await engineOf(app).callback()(message, response)
  if (failure !== undefined) throw failure.error
  const made = await answer
  if (made.status === 200) await storeTokens(app, progressOf({ req: message }).tokens)
  return made
}

/**
 * The client that a request about a token comes from, authenticated by the engine in any of its ways; or the answer for
 * a client that could not be.
 */
export async function clientByEngine(
  app: App,
  request: PageRequest,
  options: BridgeOptions,
  form: URLSearchParams,
): Promise<{ readonly clientId: string } | { readonly answer: PageAnswer }> {
  let found: string | undefined
  const answer = await askEngine(app, request, options, form.toString(), (clientId) => {
    found = clientId
  })
  return answer.status === 200 && found !== undefined ? { clientId: found } : { answer }
}
