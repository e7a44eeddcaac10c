/**
 * OpenID Shared Signals Framework 1.0: metadata, the management of streams, polling (RFC 8936), and the endpoint that trusted
 * transmitters push to (RFC 8935). It translates the protocol to the modules and decides nothing.
 */
import type { AuthorizeReceiver } from '../access/signal-receiver.ts'
import { EVENTS_PATH } from '../features/trusted-transmitters/index.ts'
import { documentPage, type Page, type PageAnswer, type PageRequest, type Pages } from '../http/page.ts'
import type { Fault } from '../http/protocols/errors.ts'
import type { App } from '../module/app.ts'
import { errorAnswer, isCancelled, jsonAnswer, ssfErrorOf } from './errors.ts'
import { openPolls, servePoll } from './poll.ts'
import { serveEvent } from './receive.ts'
import { ENDPOINTS, METADATA_PATH, POLL_METHOD, POLL_PATH, PUSH_METHOD } from './routes.ts'
import { type Request, serveConfiguration, serveStatus, serveSubject, serveVerification } from './streams.ts'

export interface SsfOptions {
  readonly app: App
  readonly authorize: AuthorizeReceiver
  readonly log: (fault: Fault) => void
}

/** The metadata of the transmitter (SSF §7.1). */
function metadata({ externalUrl }: App) {
  const endpoints = Object.entries(ENDPOINTS).map(([name, path]) => [name, `${externalUrl}${path}`])
  return {
    spec_version: '1_0',
    issuer: externalUrl,
    jwks_uri: `${externalUrl}/oauth/v2/keys`,
    delivery_methods_supported: [PUSH_METHOD, POLL_METHOD],
    ...Object.fromEntries(endpoints),
    critical_subject_members: ['user'],
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:6750' }],
    default_subjects: 'ALL',
  }
}

/** A page whose errors are those of the protocol. */
function guarded(path: string, log: (fault: Fault) => void, serve: (page: PageRequest) => Promise<PageAnswer>): Page {
  return {
    async answer(page) {
      try {
        return await serve(page)
      } catch (error) {
        if (isCancelled(error)) throw error
        return errorAnswer(ssfErrorOf(error, page.requestId, path, log), page)
      }
    },
  }
}

/** The pages of the protocol. */
export function ssfPages({ app, authorize, log }: SsfOptions): Pages {
  const polls = openPolls()
  const at = (path: string, serve: (request: Request) => Promise<PageAnswer>): readonly [string, Page] => [
    path,
    guarded(path, log, (page) => serve({ app, page, authorize })),
  ]
  return new Map([
    [METADATA_PATH, documentPage(() => jsonAnswer(200, metadata(app), { 'cache-control': 'public, max-age=300' }))],
    at(ENDPOINTS.configuration_endpoint, serveConfiguration),
    at(ENDPOINTS.status_endpoint, serveStatus),
    at(ENDPOINTS.add_subject_endpoint, (request) => serveSubject(request, 'add_subject')),
    at(ENDPOINTS.remove_subject_endpoint, (request) => serveSubject(request, 'remove_subject')),
    at(ENDPOINTS.verification_endpoint, serveVerification),
    at(`${POLL_PATH}/*`, (request) => servePoll(request, polls, request.page.path.slice(POLL_PATH.length + 1))),
    at(`${EVENTS_PATH}/*`, ({ page }) => serveEvent(app, page, page.path.slice(EVENTS_PATH.length + 1))),
  ])
}
