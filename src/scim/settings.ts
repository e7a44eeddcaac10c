/** What a caller has settled by metadata of its own user, and the keys under which SCIM keeps what has no field. */
import { findMetadata } from '../features/metadata/index.ts'
import type { App } from '../module/app.ts'
import { ScimError } from './errors.ts'

/** Keys of metadata are API: other programs read them. */
export const PREFIX = 'urn:zitadel:scim:'
const DOMAIN_KEY = `${PREFIX}provisioningDomain`
const IGNORE_PASSWORD_KEY = `${PREFIX}ignorePasswordOnCreate`

/** What a caller has settled by metadata of its own user. */
export interface CallerSettings {
  /** The key under which this caller's IDs are kept. */
  readonly externalIdKey: string
  readonly ignoresPassword: boolean
}

export function keyOf(name: string): string {
  return `${PREFIX}${name}`
}

async function textOf(app: App, userId: string, key: string): Promise<string | undefined> {
  const entry = await findMetadata(app, userId, key)
  return entry && Buffer.from(entry.state.value, 'base64').toString('utf8')
}

export async function callerSettings(app: App, callerId: string): Promise<CallerSettings> {
  const [domain, ignores = 'false'] = await Promise.all([
    textOf(app, callerId, DOMAIN_KEY),
    textOf(app, callerId, IGNORE_PASSWORD_KEY),
  ])
  if (!/^(?:true|false|1|0|t|f)$/i.test(ignores)) {
    throw new ScimError(400, `The metadata ${IGNORE_PASSWORD_KEY} is not true or false: ${ignores}.`, 'invalidValue')
  }
  const externalIdKey = domain === undefined ? keyOf('externalId') : `${PREFIX}${domain}:externalId`
  return { externalIdKey, ignoresPassword: /^(?:true|1|t)$/i.test(ignores) }
}
