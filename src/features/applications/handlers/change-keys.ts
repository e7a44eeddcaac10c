/**
 * Adds keys to applications and removes them. A caller brings the public key, or the server generates a pair and stores the
 * public key alone.
 */

import type { Call } from '../../../access/call.ts'
import { readAssertionKey } from '../../../crypto/assertion-key.ts'
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
  /** The key file with the private key, which is shown once and not stored; empty when the caller brought the key. */
  readonly file: Uint8Array
  readonly written: Written<Document<ApplicationKey>>
}

function requireUsesKeys({ state }: Document<LivingApplication>): void {
  if (!usesKeys(state.config)) throw refused(applicationRefusals, 'application.key_not_usable')
}

interface NewKey {
  readonly publicKey: string
  /** Undefined when the caller has it. */
  readonly privateKey?: string
}

function refuseKey(description: string) {
  return refused(applicationRefusals, 'application.key_invalid', {
    violations: [{ field: 'publicKey', description }],
  })
}

/** The key of a caller; throws unless the application can sign with it. */
function readGivenKey({ state: { config } }: Document<LivingApplication>, pem: string): NewKey {
  const key = readAssertionKey(pem)
  if (key === undefined) {
    throw refuseKey('must be a public key in PEM: RSA with 2048 to 4096 bits, the curve P-256, or Ed25519')
  }
  const algorithm = config.type === 'oidc' ? config.clientAssertionAlgorithm : undefined
  if (algorithm !== undefined && !key.algorithms.includes(algorithm)) {
    throw refuseKey(`must be a key for ${algorithm}, which the application must sign with`)
  }
  return { publicKey: key.publicKey }
}

/** A new pair. Only RSA keys are made here, in the format that client libraries read. */
async function makeKey({ state: { config } }: Document<LivingApplication>): Promise<NewKey> {
  const algorithm = config.type === 'oidc' ? config.clientAssertionAlgorithm : undefined
  if (algorithm === 'ES256' || algorithm === 'EdDSA') {
    throw refuseKey(`must be given: the application must sign with ${algorithm}, and the server makes RSA keys`)
  }
  return newMachineKeyPair()
}

/** Adds a key to an application: the caller's own, or a new one. */
export async function addApplicationKey(
  app: App,
  call: Call,
  application: Document<LivingApplication>,
  { expiresAt, publicKey: given = '' }: { readonly expiresAt: Instant; readonly publicKey?: string },
): Promise<AddedApplicationKey> {
  // Checked here too, because generating a key pair is expensive.
  requireUsesKeys(application)
  const { publicKey, privateKey } = given === '' ? await makeKey(application) : readGivenKey(application, given)
  const { id: applicationId, state } = application
  const { projectId, clientId } = state
  const command = { type: 'add', applicationId, projectId, publicKey, expiresAt, at: call.at } as const
  const written = await app.store.write(call.origin, async (work) => {
    const current = await requireApplication(app, applicationId, projectId, work)
    requireUsesKeys(current)
    await takeControl(work, call, current)
    return work.decide(applicationKeys, await work.unusedId(applicationKeys, app.newId), command, current.owner)
  })
  const { id: keyId } = written.value
  const file = privateKey === undefined ? '' : formatApplicationKeyFile({ keyId, applicationId, clientId, privateKey })
  return { keyId, file: Buffer.from(file), written }
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
