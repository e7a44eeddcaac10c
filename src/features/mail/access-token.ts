/**
 * Access tokens for mail servers that take no passwords (XOAUTH2). The credentials of a client are exchanged for one
 * (RFC 6749 §4.4), and it is used until it ends, or until a mail server refuses it.
 */
import { type App, perApp } from '../../module/app.ts'
import { MailDelayed, withoutSecrets } from './delivery-failure.ts'
import type { SmtpOAuth } from './events.ts'
import { outsideReason } from './webhook.ts'

/** Where a mail server's access tokens come from. */
export interface AccessTokens {
  readonly clientSecret: string
  /** The token to use now. Throws `MailDelayed` when there is none. */
  read(signal: AbortSignal): Promise<string>
  /** The mail server does not take this token: the next one is another. */
  forget(token: string): void
}

interface Kept {
  readonly source: string
  readonly token: Promise<string>
  /** Not yet known while it is fetched. */
  text?: string
  /** Until the answer is there, as long as it may take. */
  until: number
}

const SECOND = 1000
const TIMEOUT_MS = 10 * SECOND
/** A token is not used in its last minute: it could end on the way. */
const RESERVE_MS = 60 * SECOND
/** How long a token counts that does not say so (RFC 6749 §5.1 only recommends it). */
const UNKNOWN_MS = 5 * 60 * SECOND
const LONGEST_ANSWER = 65_536

/** There is one mail server, so one token is kept. */
const keptOf = perApp((): { known: Kept | undefined } => ({ known: undefined }))

function form(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString()
}

/** RFC 6749 §2.3.1: each part is form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map((part) => form({ '': part }).slice(1))
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function ask(
  app: App,
  oauth: SmtpOAuth,
  clientSecret: string,
  isInBody: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const { tokenEndpoint, scopes, clientId } = oauth
  const scope = scopes.join(' ')
  const response = await app
    .fetchOutside(tokenEndpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(!isInBody && { authorization: basic(clientId, clientSecret) }),
      },
      body: form({
        grant_type: 'client_credentials',
        ...(scope !== '' && { scope }),
        ...(isInBody && { client_id: clientId, client_secret: clientSecret }),
      }),
      mostBytes: LONGEST_ANSWER,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    .catch((error: unknown) => {
      throw new MailDelayed(`The token endpoint could not be reached: ${outsideReason(error)}`, 'server')
    })
  const body: unknown = await response.json().catch(() => undefined)
  return { status: response.status, body: typeof body === 'object' && body !== null ? { ...body } : {} }
}

function refusalOf({ status, body }: Answer, secrets: readonly string[]): MailDelayed {
  const said = [body.error, body.error_description].filter((one) => typeof one === 'string').join(': ')
  const answer = withoutSecrets(said, secrets) || 'no reason given'
  return new MailDelayed(`The token endpoint responded with status ${status}: ${answer}`, 'server')
}

/** Asks for a token: first as every server must allow it, then as some servers want it. */
async function fetchToken(app: App, oauth: SmtpOAuth, clientSecret: string, signal: AbortSignal) {
  let answer = await ask(app, oauth, clientSecret, false, signal)
  if (answer.status === 400 || answer.status === 401) answer = await ask(app, oauth, clientSecret, true, signal)
  const { access_token: token, expires_in: seconds } = answer.body
  if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw refusalOf(answer, [clientSecret])
  }
  const lasts = Number(seconds) > 0 ? Number(seconds) * SECOND - RESERVE_MS : UNKNOWN_MS
  return { token, until: app.clock() + lasts }
}

/** The tokens of a client for a mail server. */
export function accessTokenSource(app: App, oauth: SmtpOAuth, clientSecret: string): AccessTokens {
  const source = JSON.stringify([oauth, clientSecret])
  const state = keptOf(app)
  return {
    clientSecret,
    read(signal) {
      const { known } = state
      if (known?.source === source && app.clock() < known.until) return known.token
      const fetched = fetchToken(app, oauth, clientSecret, signal)
      const kept: Kept = { source, token: fetched.then(({ token }) => token), until: app.clock() + 2 * TIMEOUT_MS }
      state.known = kept
      fetched.then(
        ({ token, until }) => {
          Object.assign(kept, { text: token, until })
        },
        () => {
          if (state.known === kept) state.known = undefined
        },
      )
      return kept.token
    },
    forget(token) {
      if (state.known?.text === token) state.known = undefined
    },
  }
}
