/**
 * The first start creates the instance, the default organization, a human administrator with a one-time setup link, and
 * a machine administrator with a token, and the project of the API with the application of the console, in one commit. There are no default secrets. When two nodes start at the same
 * time, one creates the instance and the other uses it.
 */

import { newPersonalAccessToken } from '../../../crypto/tokens.ts'
import { Refused } from '../../../kernel/refusal.ts'
import { INSTANCE_OWNER } from '../../../kernel/role.ts'
import type { App } from '../../../module/app.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { appointMember } from '../../administrators/index.ts'
import {
  findInstance,
  instances,
  isSetupLinkOpen,
  issueSetupLink,
  type NewSetupLink,
  newSetupLink,
  removeDeadSetupLink,
  SETUP_LINK_FILE,
} from '../../instances/index.ts'
import { domainsFor, organizations } from '../../organizations/index.ts'
import { users } from '../../users/index.ts'
import { ADMIN_TOKEN_FILE, addAdminToken, isAdminToken } from '../admin-token.ts'
import { draftSecretFile, finishDrafts } from '../secret-file.ts'
import { addApiProject, ensureApiProject } from './add-api-project.ts'

/** There is no app before there is an instance, so the first start gets only the parts that it needs. */
export interface FirstStartOptions extends Pick<App, 'store' | 'newId' | 'clock' | 'externalUrl'> {
  /** Where the files for the operator are written. */
  readonly dataDir: string
  /** Name of the instance and of its default organization. */
  readonly name?: string
}

export interface FirstStart {
  readonly instanceId: string
  /** Whether this start created the instance, so that the two files are new. */
  readonly isFirst: boolean
}

interface Plan {
  readonly name: string
  readonly externalUrl: string
  readonly instanceId: string
  readonly organizationId: string
  readonly administratorId: string
  readonly machineId: string
  readonly projectId: string
  readonly consoleApplicationId: string
  readonly consoleClientId: string
  readonly tokenId: string
  readonly tokenHash: string
  readonly link: NewSetupLink
}

async function createInstance(work: Work, plan: Plan): Promise<void> {
  const { name, instanceId, organizationId, administratorId, machineId } = plan
  // Decided first, so that a second node is refused with `instance.exists` and not because a name is taken.
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
  const [domain] = domainsFor(name, organizationId, new URL(plan.externalUrl).hostname)
  await work.decide(organizations, organizationId, { type: 'add', name, domain }, organizationId)
  await work.decide(users, administratorId, administratorOf(plan), organizationId)
  await work.decide(users, machineId, MACHINE, organizationId)
  for (const userId of [administratorId, machineId]) {
    await appointMember(work, { scope: { level: 'instance', id: instanceId }, userId, roles: [INSTANCE_OWNER] })
  }
  await issueSetupLink(work, instanceId, administratorId, plan.link)
  await addAdminToken(work, { tokenId: plan.tokenId, hash: plan.tokenHash, userId: machineId, organizationId })
  await addApiProject(work, plan)
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
    // A placeholder until the setup is complete. No email is sent to it, because it is not verified.
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

/** The instance if there is one; finishes the files of a first start that crashed after its commit. */
async function findExisting(options: FirstStartOptions): Promise<FirstStart | undefined> {
  const { store, clock, dataDir } = options
  const instance = await findInstance(store)
  if (instance === undefined) return undefined
  // The instance exists, so no other first start can commit. Drafts of others will never be valid.
  await finishDrafts(dataDir, ADMIN_TOKEN_FILE, (text) => isAdminToken({ store }, text))
  await finishDrafts(dataDir, SETUP_LINK_FILE, (text) => isSetupLinkOpen({ store }, text, clock()))
  // It may have been used or replaced where the file could not be removed: on another node, or before a crash.
  await removeDeadSetupLink({ store }, dataDir, clock())
  await ensureApiProject(options)
  return { instanceId: instance.id, isFirst: false }
}

/** Finds the instance of this database, or creates it. */
export async function firstStart(options: FirstStartOptions): Promise<FirstStart> {
  const existing = await findExisting(options)
  if (existing !== undefined) return existing

  const { store, newId, clock, dataDir, externalUrl, name = 'Signet' } = options
  const origin: Origin = { actor: 'server', at: clock() }
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
    projectId: newId(),
    consoleApplicationId: newId(),
    consoleClientId: newId(),
    tokenId,
    tokenHash: token.hash,
    link,
  }
  const drafts = [
    await draftSecretFile(dataDir, ADMIN_TOKEN_FILE, token.text),
    await draftSecretFile(dataDir, SETUP_LINK_FILE, link.url),
  ]
  try {
    await store.write(origin, (work) => createInstance(work, plan))
  } catch (error) {
    // A refusal means that nothing was committed. After any other error, the next start completes the drafts.
    if (!(error instanceof Refused)) throw error
    const winner = await findExisting(options)
    if (winner === undefined) throw error
    await Promise.all(drafts.map((draft) => draft.discard()))
    return winner
  }
  for (const draft of drafts) await draft.publish()
  return { instanceId: plan.instanceId, isFirst: true }
}
