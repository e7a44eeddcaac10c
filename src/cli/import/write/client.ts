/** Writes machine users and applications with their secrets and keys. */
import {
  applicationKeys,
  applications,
  importApplication,
  importApplicationKey,
  importApplicationSecret,
} from '../../../features/applications/index.ts'
import {
  importMachine,
  importMachineKey,
  importMachineSecret,
  importToken,
  machineKeys,
  personalAccessTokens,
} from '../../../features/machines/index.ts'
import { importState, users } from '../../../features/users/index.ts'
import type { ApplicationDraft, MachineDraft } from '../draft.ts'
import { isThere, tryPart, type WriteDraft } from './writing.ts'

export const writeMachine: WriteDraft<MachineDraft> = async ({ app, work, draft, left, dates }) => {
  const { id: userId, organizationId, userName, name, description, accessTokenType, state, secret } = draft
  if (await isThere(work, users, userId, organizationId)) return { end: 'there' }
  const owner = { userId, organizationId }
  await importMachine(app, work, { ...owner, machine: { userName, name, description, accessTokenType } })
  for (const key of draft.keys) {
    dates(machineKeys, key.id, { createdAt: key.createdAt, changedAt: key.createdAt })
    await tryPart(left, `The key ${key.id}`, () => importMachineKey(work, owner, key))
  }
  for (const token of draft.tokens) {
    dates(personalAccessTokens, token.id, { createdAt: token.createdAt, changedAt: token.createdAt })
    await tryPart(left, `The personal access token ${token.id}`, () => importToken(work, owner, token))
  }
  if (secret !== undefined) {
    await tryPart(left, 'The secret', () => importMachineSecret(app, work, owner, secret))
  }
  await importState(app, work, userId, state)
  return { end: 'carried' }
}

export const writeApplication: WriteDraft<ApplicationDraft> = async ({ app, work, draft, left, dates }) => {
  const { id, organizationId, projectId, name, clientId, config, isActive, secret } = draft
  if (await isThere(work, applications, id, organizationId)) return { end: 'there' }
  const added = { id, projectId, config }
  await importApplication(app, work, { ...added, name, clientId, isActive })
  if (secret !== undefined) {
    await tryPart(left, 'The secret', () => importApplicationSecret(app, work, added, secret))
  }
  for (const key of draft.keys) {
    dates(applicationKeys, key.id, { createdAt: key.createdAt, changedAt: key.createdAt })
    await tryPart(left, `The key ${key.id}`, () => importApplicationKey(work, added, key))
  }
  return { end: 'carried' }
}
