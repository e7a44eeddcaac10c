/** Keeps what a SAML service provider asked for while the user signs in, and ends it once. */
import { randomBytes } from 'node:crypto'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../../store/index.ts'
import type { StartedSamlRequest } from './decider.ts'
import { samlRequests } from './documents.ts'
import type { SamlAsked } from './events.ts'

/** As long as an authorization request waits. */
const LIFETIME_MS = 3_600_000

/** Stores a request that waits for the user; returns its ID, which nobody can guess. */
export async function startSamlRequest(
  app: App,
  origin: Origin,
  asked: SamlAsked,
  loginClientId: string,
): Promise<string> {
  const id = randomBytes(20).toString('base64url')
  const times = { flowStartedAt: origin.at, expiresAt: instant(origin.at + LIFETIME_MS) }
  const command = { type: 'start', ...asked, ...times, loginClientId } as const
  await app.store.write(origin, (work) => work.begin(samlRequests, id, command, app.instanceId))
  return id
}

/** A request that has not expired, also when it was answered; undefined when there is none. */
export async function findSamlRequest(
  reader: Reader,
  id: string,
  at: Instant,
): Promise<Document<StartedSamlRequest> | undefined> {
  const request = await reader.get(samlRequests, id)
  if (request === undefined || request.state.status === 'unknown' || at >= request.state.expiresAt) return undefined
  return { ...request, state: request.state }
}

/** Ends the wait of a request as part of a write; throws when it was ended before. */
export async function finishSamlRequest(work: Work, id: string, outcome: 'answered' | 'failed') {
  return work.decide(samlRequests, id, { type: 'finish', outcome, at: work.origin.at })
}
