/** The metadata of our own API as a protected resource (RFC 9728), and of its door for agents, where that is open. */
import { ownDoor } from '../features/resources/index.ts'
import type { Page, PageAnswer, Pages } from '../http/page.ts'
import { DOOR_PATH, resourceMetadataPath } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { jsonAnswer, preflight } from './answers.ts'

/** The scope that asks for a token for our own API. */
const API_SCOPE = 'urn:zitadel:iam:org:project:id:signet:aud'

function metadataOf({ externalUrl }: App, resource: string, name: string, scopes: readonly string[]): PageAnswer {
  return jsonAnswer({
    resource,
    authorization_servers: [externalUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
  })
}

function metadataPage(answer: () => PageAnswer | Promise<PageAnswer>): Page {
  return {
    verbs: ['GET', 'HEAD', 'OPTIONS'],
    answer: ({ method }) => (method === 'OPTIONS' ? preflight('GET') : answer()),
  }
}

/** The documents by their paths. */
export function protectedResourcePages(app: App): Pages {
  return new Map([
    [resourceMetadataPath(''), metadataPage(() => metadataOf(app, app.externalUrl, 'Signet API', [API_SCOPE]))],
    [
      resourceMetadataPath(DOOR_PATH),
      metadataPage(async () => {
        const door = await ownDoor(app)
        if (door === undefined) return jsonAnswer({ error: 'not_found' }, 404)
        return metadataOf(
          app,
          door.uri,
          'Signet for agents',
          door.scopes.map(({ key }) => key),
        )
      }),
    ],
  ])
}
