/** Writes machine users and applications with their secrets and keys. */
import {
  applicationKeys,
  applicationSecrets,
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
  machineSecrets,
  personalAccessTokens,
} from '../../../features/machines/index.ts'
import { importState, users } from '../../../features/users/index.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { ApplicationDraft, MachineDraft } from '../draft.ts'
import { isThere, reasonOf, tryPart, type WriteDraft, type Writing } from './writing.ts'

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

/** Adds the application; without the address that the server would call at a logout, if that is refused and nothing else is. */
async function addApplication({ app, work, draft, left }: Writing<ApplicationDraft>): Promise<void> {
  const { config } = draft
  try {
    await importApplication(app, work, draft)
  } catch (error) {
    if (!(error instanceof Refused) || config.type !== 'oidc') throw error
    const fields = new Set(error.violations.map(({ field }) => field))
    if (fields.size !== 1 || !fields.has('backChannelLogoutUri')) throw error
    await importApplication(app, work, { ...draft, config: { ...config, backChannelLogoutUri: '' } })
    left.push(`The back-channel logout URI was not carried: ${reasonOf(error)}`)
  }
}

export const writeApplication: WriteDraft<ApplicationDraft> = async (writing) => {
  const { app, work, draft, left, dates } = writing
  const { id, organizationId, projectId, config, secret } = draft
  if (await isThere(work, applications, id, organizationId)) return { end: 'there' }
  const added = { id, projectId, config }
  await addApplication(writing)
  if (secret !== undefined) {
    if (draft.secretDates !== undefined) dates(applicationSecrets, id, draft.secretDates)
    await tryPart(left, 'The secret', () => importApplicationSecret(app, work, added, secret))
  }
  for (const key of draft.keys) {
    dates(applicationKeys, key.id, { createdAt: key.createdAt, changedAt: key.createdAt })
    await tryPart(left, `The key ${key.id}`, () => importApplicationKey(work, added, key))
  }
  return { end: 'carried' }
}
