/**
 * The first start: instance, default organization, a human administrator who sets up by a one-time link, and a machine
 * administrator with a token, all in one commit. Nobody types a secret and there is no default one.
 * When two nodes start at once, one wins; the other sees it and goes on.
 */

import { matchesHash, newPersonalAccessToken, parsePersonalAccessToken } from '../../crypto/tokens.ts'
import type { NewId } from '../../kernel/id.ts'
import type { Clock, Instant } from '../../kernel/instant.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import { INSTANCE_OWNER } from '../../kernel/role.ts'
import type { Origin, Store, Work } from '../../store/index.ts'
import {
  findInstance,
  instanceRefusals,
  instances,
  isSetupLinkOpen,
  issueSetupLink,
  type NewSetupLink,
  newSetupLink,
  setupCodes,
} from '../instances/index.ts'
import { NEVER, personalAccessTokens } from '../machines/index.ts'
import { appointMember } from '../memberships/index.ts'
import { organizations } from '../organizations/index.ts'
import { users } from '../users/index.ts'
import { draftSecretFile, finishDrafts } from './secret-file.ts'

/** Holds the personal access token of the machine administrator. */
export const ADMIN_TOKEN_FILE = 'admin.pat'
/** Holds the link with which the human administrator sets up. */
export const SETUP_LINK_FILE = 'setup-link'

export interface FirstStartNeeds {
  readonly store: Store
  readonly newId: NewId
  readonly clock: Clock
  readonly dataDir: string
  readonly externalUrl: string
  /** Name of the instance and of its default organization. */
  readonly name?: string
}

export interface FirstStart {
  readonly instanceId: string
  /** Whether this start made the instance: then the two files are new. */
  readonly isFirst: boolean
}

/** Who stands on the events of the first start. */
const FOUNDER = 'system'

interface Plan {
  readonly name: string
  readonly externalUrl: string
  readonly instanceId: string
  readonly organizationId: string
  readonly administratorId: string
  readonly machineId: string
  readonly tokenId: string
  readonly tokenHash: string
  readonly link: NewSetupLink
}

async function found(work: Work, plan: Plan): Promise<void> {
  const { name, instanceId, organizationId, administratorId, machineId } = plan
  // First of all, so that the node that comes second hears that there is an instance, and not that a name is taken.
  await work.decide(
    instances,
    instanceId,
    {
      type: 'create',
      name,
      defaultOrganizationId: organizationId,
      administratorId,
      machineAdministratorId: machineId,
    },
    instanceId,
  )
  await work.decide(organizations, organizationId, { type: 'add', name }, organizationId)
  await work.decide(users, administratorId, administratorOf(plan), organizationId)
  await work.decide(users, machineId, MACHINE, organizationId)
  for (const userId of [administratorId, machineId]) {
    await appointMember(work, { scope: { level: 'instance', id: instanceId }, userId, roles: [INSTANCE_OWNER] })
  }
  await issueSetupLink(work, instanceId, administratorId, plan.link)
  await addToken(work, { tokenId: plan.tokenId, hash: plan.tokenHash, userId: machineId, organizationId })
}

function administratorOf({ externalUrl }: Plan) {
  return {
    type: 'add_human',
    userName: 'admin',
    profile: {
      firstName: 'Instance',
      lastName: 'Administrator',
      nickName: '',
      displayName: 'Administrator',
      preferredLanguage: '',
      gender: 'unspecified',
    },
    // A place holder until the administrator sets up: nothing is ever sent to an address that is not verified by then.
    email: { address: `admin@${new URL(externalUrl).hostname}`, isVerified: false },
    needsSetUp: true,
  } as const
}

const MACHINE = {
  type: 'add_machine',
  userName: 'admin-machine',
  name: 'Administrator (machine)',
  description: `Created at the first start. Its token was written to ${ADMIN_TOKEN_FILE} in the data folder.`,
  accessTokenType: 'bearer',
} as const

interface NewToken {
  readonly tokenId: string
  readonly hash: string
  readonly userId: string
  readonly organizationId: string
}

function addToken(work: Work, { tokenId, hash, userId, organizationId }: NewToken) {
  const command = { type: 'add', userId, expiresAt: NEVER, hash, at: work.origin.at } as const
  return work.decide(personalAccessTokens, tokenId, command, organizationId)
}

async function isTokenGood(store: Store, text: string): Promise<boolean> {
  const parsed = parsePersonalAccessToken(text)
  const token = parsed && (await store.get(personalAccessTokens, parsed.tokenId))
  return token?.state.status === 'active' && matchesHash(parsed?.secret ?? '', token.state.secret.hash)
}

/** The instance that is there; finishes the files of a first start that crashed after its commit. */
async function findFounded({ store, dataDir }: FirstStartNeeds): Promise<FirstStart | undefined> {
  const instance = await findInstance(store)
  if (instance === undefined) return undefined
  // There is an instance, so no other first start can commit any more: drafts that do not count never will.
  await finishDrafts(dataDir, ADMIN_TOKEN_FILE, (text) => isTokenGood(store, text))
  await finishDrafts(dataDir, SETUP_LINK_FILE, (text) => isSetupLinkOpen(store, text))
  return { instanceId: instance.id, isFirst: false }
}

/** Finds the instance of this database, or founds it. */
export async function firstStart(needs: FirstStartNeeds): Promise<FirstStart> {
  const existing = await findFounded(needs)
  if (existing !== undefined) return existing

  const { store, newId, clock, dataDir, externalUrl, name = 'Signet' } = needs
  const origin: Origin = { actor: FOUNDER, at: clock() }
  const [tokenId, administratorId] = [newId(), newId()]
  const token = newPersonalAccessToken(tokenId)
  const link = newSetupLink(externalUrl, administratorId, origin.at)
  const plan: Plan = {
    name,
    externalUrl,
    instanceId: newId(),
    organizationId: newId(),
    administratorId,
    machineId: newId(),
    tokenId,
    tokenHash: token.hash,
    link,
  }
  const drafts = [
    await draftSecretFile(dataDir, ADMIN_TOKEN_FILE, token.text),
    await draftSecretFile(dataDir, SETUP_LINK_FILE, link.url),
  ]
  try {
    await store.write(origin, (work) => found(work, plan))
  } catch (error) {
    // Refused means: not committed. Anything else may have been committed; then the next start finishes the drafts.
    if (!(error instanceof Refused)) throw error
    const winner = await findFounded(needs)
    if (winner === undefined) throw error
    await Promise.all(drafts.map((draft) => draft.discard()))
    return winner
  }
  for (const draft of drafts) await draft.publish()
  return { instanceId: plan.instanceId, isFirst: true }
}

/** Whether the human administrator has not set up yet: then no link was used, and a lost or expired one can be replaced. */
export async function awaitsAdministrator(store: Store): Promise<boolean> {
  const instance = await findInstance(store)
  if (instance?.state.status !== 'running') return false
  return (await store.get(setupCodes, instance.state.administratorId))?.state.status === 'open'
}

/** For the operator who lost the first token: gives the machine administrator another one and writes it to the file. */
export async function reissueAdminToken(needs: FirstStartNeeds): Promise<void> {
  const { store, newId, clock, dataDir } = needs
  const instance = await findInstance(store)
  if (instance?.state.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
  const userId = instance.state.machineAdministratorId
  const tokenId = newId()
  const { text, hash } = newPersonalAccessToken(tokenId)
  const draft = await draftSecretFile(dataDir, ADMIN_TOKEN_FILE, text)
  const at: Instant = clock()
  await store.write({ actor: FOUNDER, at }, async (work) => {
    const machine = await work.read(users, userId)
    if (machine?.state.status !== 'active') throw refused(instanceRefusals, 'instance.machine_gone')
    await addToken(work, { tokenId, hash, userId, organizationId: machine.owner })
  })
  await draft.publish()
}
