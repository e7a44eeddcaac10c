/**
 * “Try sign-in”: runs the real flow of an application in a window of its own, which ends at a page of the console instead
 * of at the application. That page tells this one, which has the PKCE verifier and gets the claims; there are no tokens.
 */
import { PATHS } from '../../../../../src/kernel/page-paths.ts'
import { environment } from '../../../session/environment.ts'
import { challengeOf, random } from '../../../session/pkce.ts'

/** What the application would learn. */
export interface Claims {
  readonly id_token: Readonly<Record<string, unknown>>
  readonly userinfo: Readonly<Record<string, unknown>>
}

export type Outcome =
  | { readonly type: 'claims'; readonly claims: Claims }
  /** What the server answered instead. */
  | { readonly type: 'refused'; readonly reason: string }

interface Returned {
  readonly state: string | null
  readonly code: string | null
  readonly reason: string | null
}

const CHANNEL = 'signet.sign-in-trial'
const SCOPE = 'openid profile email'

export interface Attempt {
  readonly verifier: string
  readonly challenge: string
  readonly state: string
}

export async function newAttempt(): Promise<Attempt> {
  const verifier = random()
  return { verifier, challenge: await challengeOf(verifier), state: random() }
}

export interface Ticket {
  readonly ticket: string
  readonly clientId: string
  readonly redirectUri: string
}

/**
 * Where the window goes. No other account is offered: a browser has one session, and a sign-in as somebody else would end
 * that of the console.
 */
export function addressOf({ challenge, state }: Attempt, { ticket, clientId, redirectUri }: Ticket): string {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPE,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    trial: ticket,
  })
  return `${new URL('/oauth/v2/authorize', environment().issuer).href}?${query}`
}

/** Waits for the window to come back; rejects when `signal` aborts. */
export async function outcomeOf({ verifier, state }: Attempt, signal: AbortSignal): Promise<Outcome> {
  const { code, reason } = await returned(state, signal)
  if (code === null) return { type: 'refused', reason: reason ?? '' }
  const body = new URLSearchParams({ code, code_verifier: verifier })
  const answer = await fetch(PATHS.finishTrial, { method: 'POST', body, signal })
  if (answer.ok) return { type: 'claims', claims: (await answer.json()) as Claims }
  const { error_description: text } = (await answer.json()) as { readonly error_description?: string }
  return { type: 'refused', reason: text ?? String(answer.status) }
}

function returned(state: string, signal: AbortSignal): Promise<Returned> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL)
    signal.addEventListener('abort', () => {
      channel.close()
      reject(signal.reason)
    })
    channel.onmessage = ({ data }: MessageEvent<Returned>) => {
      if (data.state !== state) return
      channel.close()
      resolve(data)
    }
  })
}

/** In the window: hands on what the server answered, and takes it out of the address. */
export function handOn(): void {
  const answer = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({
    state: answer.get('state'),
    code: answer.get('code'),
    reason: answer.get('error_description') ?? answer.get('error'),
  } satisfies Returned)
  channel.close()
}
