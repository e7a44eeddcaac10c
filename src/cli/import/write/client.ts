/** Writes machine users with their secrets and keys. */
import {
  importMachine,
  importMachineKey,
  importMachineSecret,
  importToken,
  machineKeys,
  machineSecrets,
  personalAccessTokens,
} from '../../../features/machines/index.ts'
import { importState, users } from '../../../features/users/index.ts'
import type { MachineDraft } from '../draft.ts'
import { isThere, tryPart, type WriteDraft } from './writing.ts'

export const writeMachine: WriteDraft<MachineDraft> = async ({ app, work, draft, left, dates }) => {
  const { id: userId, organizationId, userName, nameSince, name, description, accessTokenType, state, secret } = draft
  if (await isThere(work, users, userId, organizationId)) return { end: 'there' }
  const owner = { userId, organizationId }
  await importMachine(app, work, { ...owner, machine: { userName, nameSince, name, description, accessTokenType } })
  for (const key of draft.keys) {
    dates(machineKeys, key.id, { createdAt: key.createdAt, changedAt: key.createdAt })
    await tryPart(left, `The key ${key.id}`, () => importMachineKey(work, owner, key))
  }
  for (const token of draft.tokens) {
    dates(personalAccessTokens, token.id, { createdAt: token.createdAt, changedAt: token.createdAt })
    await tryPart(left, `The personal access token ${token.id}`, () => importToken(work, owner, token))
  }
  if (secret !== undefined) {
    if (draft.secretDates !== undefined) dates(machineSecrets, userId, draft.secretDates)
    await tryPart(left, 'The secret', () => importMachineSecret(app, work, owner, secret))
  }
  await importState(app, work, userId, state)
  return { end: 'carried' }
}
