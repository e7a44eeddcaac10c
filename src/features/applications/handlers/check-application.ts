/** Checks what a caller wants to store about an application, and names the fields that are wrong. */

import { isIP } from 'node:net'
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { nameProblem } from '../../../kernel/name.ts'
import { isPublicAddress } from '../../../kernel/network-address.ts'
import { refused, type Violation } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { chosenIdProblem } from '../../organizations/index.ts'
import { parseAddress } from '../addresses.ts'
import { configProblems } from '../config-rules.ts'
import type { ApplicationConfig } from '../events.ts'
import { applicationRefusals } from '../refusals.ts'
import { readProvider } from '../saml/metadata.ts'

/** Throws unless this can be the name of an application. */
export function checkName(name: string): void {
  const description = nameProblem(name)
  if (description === undefined) return
  throw refused(applicationRefusals, 'application.name_invalid', { violations: [{ field: 'name', description }] })
}

/** Throws unless a caller can choose this ID for an application of the organization. */
export async function checkId(app: App, work: Work, id: string, organizationId: string): Promise<void> {
  const description = await chosenIdProblem(app, work, { kind: 'application', id, organizationId })
  if (description === undefined) return
  const violations = [{ field: 'applicationId', description }]
  throw refused(applicationRefusals, 'application.id_invalid', { violations })
}

/** The IP address that a URL names instead of a host name; undefined when it has a host name. */
function addressOf(text: string): string | undefined {
  const host = parseAddress(text)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(host) === 0 ? undefined : host
}

/** The server connects to these URIs. A host name is checked at each connection, an address already here. */
function outsideProblems({ config: { allowsPrivateNetwork } }: App, config: ApplicationConfig): readonly Violation[] {
  if (config.type !== 'oidc' || allowsPrivateNetwork) return []
  const uris = { backChannelLogoutUri: config.backChannelLogoutUri, cibaNotificationUri: config.ciba?.notificationUri }
  return Object.entries(uris).flatMap(([field, uri = '']) => {
    const address = addressOf(uri)
    if (address === undefined || isPublicAddress(address)) return []
    return [{ field, description: 'must not be an address of a private network' }]
  })
}

/** What follows from the metadata must do so, whoever wrote it down. */
function metadataProblems(config: ApplicationConfig): readonly Violation[] {
  if (config.type !== 'saml') return []
  try {
    const isOwn = readProvider(config.metadataXml).entityId === config.entityId
    return isOwn ? [] : [{ field: 'metadataXml', description: 'must be those of the entity ID' }]
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error
    return [{ field: 'metadataXml', description: error.message }]
  }
}

/** Throws unless the configuration is valid. `prefix` is the path of its fields in the request. */
export function checkConfig(app: App, config: ApplicationConfig, prefix: string): void {
  const problems = [...configProblems(config), ...metadataProblems(config), ...outsideProblems(app, config)]
  if (problems.length === 0) return
  const violations = problems.map(({ field, description }) => ({ field: `${prefix}${field}`, description }))
  throw refused(applicationRefusals, 'application.config_invalid', { violations })
}
