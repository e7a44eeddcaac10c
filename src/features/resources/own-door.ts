/**
 * The resource of our own API: where agents use it by the Model Context Protocol. It belongs to the API project, while the
 * instance serves it; nobody sets or stores it. Its tokens count there alone, like those for every other resource.
 */
import { DOOR_PATH } from '../../kernel/page-paths.ts'
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import { securitySettings } from '../settings/index.ts'
import type { Resource } from './events.ts'

/** Lets its holder find and read things. */
export const READ_SCOPE = 'signet:read'
/** Lets its holder change them. */
export const WRITE_SCOPE = 'signet:write'

const DOOR_ID = 'own-door'

/** The URI of the resource: the audience of tokens for it. */
export function doorUri({ externalUrl }: Pick<App, 'externalUrl'>): string {
  return `${externalUrl}${DOOR_PATH}`
}

/** The resource of our own API; undefined while the instance does not serve it. */
export async function ownDoor(app: App, reader: Reader = app.store): Promise<Resource | undefined> {
  const { servesMcp = false } = await securitySettings(app, reader)
  if (!servesMcp) return undefined
  return {
    id: DOOR_ID,
    uri: doorUri(app),
    isDefault: false,
    scopes: [
      { key: READ_SCOPE, description: 'See the users, sign-ins, events and settings that you may see' },
      { key: WRITE_SCOPE, description: 'Change the users, applications and settings that you may change' },
    ],
  }
}

/** Whether a grant is for the resource of our own API. */
export function isForOwnDoor(app: App, resource: Pick<Resource, 'id' | 'uri'> | undefined): boolean {
  return resource?.id === DOOR_ID && resource.uri === doorUri(app)
}
