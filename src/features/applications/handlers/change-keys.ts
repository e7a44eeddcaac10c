/** Adds keys to applications and removes them. The server generates them and stores only the public key. */

import type { Call } from '../../../access/call.ts'
import { formatApplicationKeyFile, newMachineKeyPair } from '../../../crypto/machine-key.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Written } from '../../../store/index.ts'
import type { ApplicationKey } from '../decider.ts'
import { applicationKeys } from '../documents.ts'
import { readApplicationKey, requireApplication, usesKeys } from '../find-application.ts'
import { applicationRefusals } from '../refusals.ts'
import type { LivingApplication } from '../state.ts'
import { takeControl } from './set-api-access.ts'

export interface AddedApplicationKey {
  readonly keyId: string
  /** The key file with the private key. It is shown once and not stored. */
  readonly file: Uint8Array
  readonly written: Written<Document<ApplicationKey>>
}

function requireUsesKeys({ state }: Document<LivingApplication>): void {
  if (!usesKeys(state.config)) throw refused(applicationRefusals, 'application.key_not_usable')
}

/** Adds a new key to an application. */
export async function addApplicationKey(
  app: App,
  call: Call,
  application: Document<LivingApplication>,
  expiresAt: Instant,
): Promise<AddedApplicationKey> {
  // Checked here too, because generating a key pair is expensive.
  requireUsesKeys(application)
  const keyId = app.newId()
  const { publicKey, privateKey } = await newMachineKeyPair()
  const { id: applicationId, state } = application
  const { projectId, clientId } = state
  const command = { type: 'add', applicationId, projectId, publicKey, expiresAt, at: call.at } as const
  const written = await app.store.write(call.origin, async (work) => {
    const current = await requireApplication(app, applicationId, projectId, work)
    requireUsesKeys(current)
    await takeControl(work, call, current)
    return work.decide(applicationKeys, keyId, command, current.owner)
  })
  return { keyId, file: formatApplicationKeyFile({ keyId, applicationId, clientId, privateKey }), written }
}

/** Removes a key. A key of another application is not found. */
export function removeApplicationKey(
  app: App,
  origin: Origin,
  applicationId: string,
  keyId: string,
): Promise<Written<Document<ApplicationKey>>> {
  return app.store.write(origin, async (work) => {
    const key = await readApplicationKey(app, keyId, work)
    if (key?.state.applicationId !== applicationId) throw refused(applicationRefusals, 'application.key_not_found')
    return work.decide(applicationKeys, keyId, { type: 'remove' })
  })
}
