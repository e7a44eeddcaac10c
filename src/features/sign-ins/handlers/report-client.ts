/** Takes reports of requests that the OpenID endpoints refuse because of the client, before any user is known. */

import type { App } from '../../../module/app.ts'
import { isStorableText } from '../../../store/index.ts'
import { findApplicationByClientId } from '../../applications/index.ts'
import { countOnly, countReceived } from './count-failures.ts'

/** A refused request: which client it named, and what it sent. Never a secret: only how it was sent. */
export interface RefusedClient {
  readonly clientId: string
  readonly what: 'redirect_uri' | 'client_authentication'
  readonly value: string
  /** The organization of the machine user that it names, if it is none of an application. */
  readonly machineOwner?: string | undefined
}

/** Counts it; if there is such an application, what was received is shown there. Writes nothing by itself. */
export async function reportClient(app: App, refused: RefusedClient): Promise<void> {
  const { clientId, what, value, machineOwner } = refused
  if (machineOwner !== undefined) {
    countOnly(app, { organizationId: machineOwner, reason: 'wrong_client_secret' })
    return
  }
  const application = isStorableText(clientId) ? await findApplicationByClientId(app, clientId) : undefined
  if (application === undefined) countOnly(app, { organizationId: app.instanceId, reason: 'unknown_client' })
  else countReceived(app, { applicationId: application.id, owner: application.owner, what, value, at: app.clock() })
}
