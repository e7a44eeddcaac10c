/** The token of the machine administrator and the files that the first start writes for the operator. */

import { matchesHash, newPersonalAccessToken, parsePersonalAccessToken } from '../../crypto/tokens.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Store, Work } from '../../store/index.ts'
import { findInstance, instanceRefusals, setupCodes } from '../instances/index.ts'
import { NEVER, personalAccessTokens } from '../machines/index.ts'
import { activePerson } from '../users/index.ts'
import { draftSecretFile } from './secret-file.ts'

/** Contains the personal access token of the machine administrator. */
export const ADMIN_TOKEN_FILE = 'admin.pat'

export interface NewAdminToken {
  readonly tokenId: string
  readonly hash: string
  readonly userId: string
  readonly organizationId: string
}

/** Adds a token to the machine administrator as part of a write. */
export async function addAdminToken(work: Work, token: NewAdminToken): Promise<void> {
  const { tokenId, hash, userId, organizationId } = token
  const command = { type: 'add', userId, expiresAt: NEVER, hash, at: work.origin.at } as const
  await work.decide(personalAccessTokens, tokenId, command, organizationId)
}

/** Whether a text is a valid token. */
export async function isAdminToken({ store }: Pick<App, 'store'>, text: string): Promise<boolean> {
  const parsed = parsePersonalAccessToken(text)
  const token = parsed && (await store.get(personalAccessTokens, parsed.tokenId))
  return token?.state.status === 'active' && matchesHash(parsed?.secret ?? '', token.state.secret?.hash ?? '')
}

/** Whether the human administrator has not completed the setup, so that a lost or expired link can be replaced. */
export async function awaitsAdministrator(store: Store): Promise<boolean> {
  const instance = await findInstance(store)
  if (instance?.state.status !== 'running') return false
  const code = (await store.get(setupCodes, instance.state.administratorId))?.state
  return code?.status === 'open' && code.recovery === undefined
}

/** For operators who lost the first token: adds another one to the machine administrator and writes it to the file. */
export async function reissueAdminToken(
  options: Pick<App, 'store' | 'newId' | 'clock'> & { readonly dataDir: string },
): Promise<void> {
  const { store, newId, clock, dataDir } = options
  const instance = await findInstance(store)
  if (instance?.state.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
  const userId = instance.state.machineAdministratorId
  const tokenId = newId()
  const { text, hash } = newPersonalAccessToken(tokenId)
  const draft = await draftSecretFile(dataDir, ADMIN_TOKEN_FILE, text)
  await store.write({ actor: 'server', at: clock() }, async (work) => {
    const machine = await activePerson(work, userId)
    if (machine === undefined) throw refused(instanceRefusals, 'instance.machine_gone')
    await addAdminToken(work, { tokenId, hash, userId, organizationId: machine.organization.id })
  })
  await draft.publish()
}
