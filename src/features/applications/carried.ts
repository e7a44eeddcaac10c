/** How applications are carried, with their secrets and keys, and clients that registered themselves. */
import { readPublicKey } from '../../crypto/machine-key.ts'
import { isSecretHash } from '../../crypto/tokens.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { ApiAccess } from '../../kernel/role.ts'
import type { App } from '../../module/app.ts'
import {
  type BodyOf,
  type Draft,
  type DraftOf,
  declare,
  type KeyDraft,
  nothingElse,
  putParts,
  putSecret,
  type SecretDraft,
  secretOf,
} from '../../module/carried.ts'
import type { Dates, Document, Work } from '../../store/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { findProject, projectRefusals, projects } from '../projects/index.ts'
import { isIdOrNameOfUser } from '../users/index.ts'
import { agentApplicationId, agentKindOf } from './agents/agent-clients.ts'
import { configOfClient } from './agents/client-metadata.ts'
import { IDLE_MS, isRegisteredId, registeredClients, UNUSED_MS } from './agents/registered-clients.ts'
import { applicationKeys, applicationSecrets, applications } from './documents.ts'
import type { AgentUse, ApplicationConfig } from './events.ts'
import { findApplication, usesKeys, usesSecret } from './find-application.ts'
import { checkConfig, checkId, checkName } from './handlers/check-application.ts'
import { removeApplicationIn } from './handlers/remove-application.ts'
import { applicationRefusals } from './refusals.ts'
import { type Application, isLiving } from './state.ts'

export interface ApplicationDraft extends Draft<'application'> {
  readonly projectId: string
  readonly name: string
  readonly isActive: boolean
  readonly clientId: string
  readonly secret?: SecretDraft | undefined
  readonly keys: readonly KeyDraft[]
  readonly config: ApplicationConfig
  /** How far its tokens reach in our own API; not given: the organization, as with one that is added here. */
  readonly apiAccess?: { readonly access: ApiAccess; readonly allowedBy: string } | undefined
  /** There only if nobody prepared it. */
  readonly agent?: AgentUse | undefined
  readonly secretDates?: Dates | undefined
}

/** Few enough for a claim and for every place that names a client. */
const LONGEST_CLIENT_ID = 200

/** Throws unless nothing else has this client ID that tokens name; see `newClientId`. */
async function checkClientId(app: App, work: Work, clientId: string): Promise<void> {
  const isReadable = /^[\x21-\x7e]+$/.test(clientId) && clientId.length <= LONGEST_CLIENT_ID
  const isTaken = (await work.get(projects, clientId)) !== undefined || (await isIdOrNameOfUser(app, clientId, work))
  if (!isReadable || isTaken) throw refused(applicationRefusals, 'application.client_id_taken')
}

type Added = Pick<ApplicationDraft, 'projectId' | 'name' | 'clientId' | 'config' | 'apiAccess' | 'agent'>

async function add(app: App, work: Work, id: string, { apiAccess, ...given }: Added): Promise<Document<Application>> {
  const { projectId, name, clientId, config, agent } = given
  const project = await findProject(app, projectId, work)
  if (project === undefined) throw refused(projectRefusals, 'project.missing')
  if (agent === undefined) {
    await checkId(app, work, id, project.owner)
    await checkClientId(app, work, clientId)
  } else if (
    agentKindOf(clientId) !== agent.kind ||
    agentApplicationId(agent.isForSignIn ? '' : projectId, clientId) !== id
  ) {
    throw refused(applicationRefusals, 'application.client_id_taken')
  }
  const added = { projectId, name, clientId, config, ...(agent && { agent }) }
  await work.decide(applications, id, { type: 'add', ...added }, project.owner)
  const { access, allowedBy } = apiAccess ?? { access: 'organization', allowedBy: '' }
  return work.decide(applications, id, { type: 'set_api_access', access, allowedBy }, project.owner)
}

type Holder = Pick<Document<unknown>, 'id' | 'owner'> & Pick<ApplicationDraft, 'projectId' | 'config'>

/** Adds a public key. One of an export is kept even if it has expired since. */
async function addKey(
  work: Work,
  { id: applicationId, owner, projectId, config }: Holder,
  key: Pick<KeyDraft, 'id' | 'publicKey' | 'expiresAt'> & { readonly issuedAt?: Instant },
): Promise<void> {
  const publicKey = usesKeys(config) ? readPublicKey(Buffer.from(key.publicKey)) : undefined
  if (publicKey === undefined) throw refused(applicationRefusals, 'application.key_not_usable')
  const { id, expiresAt, issuedAt: at = work.origin.at } = key
  await work.decide(applicationKeys, id, { type: 'add', applicationId, projectId, publicKey, expiresAt, at }, owner)
}

export const carriedApplications = declare(applications, {
  as: 'application',
  after: ['machine-key', 'project'],
  secrets: { secret: 'optional' },
  lives: isLiving,
  async describe(state, { beside }): Promise<BodyOf<ApplicationDraft>> {
    const { status, preparedIn: _, agentIn: __, search: ___, reopenings: ____, api: apiAccess, ...application } = state
    const secret = secretOf(await beside(applicationSecrets))
    return { ...application, apiAccess, isActive: status === 'active', keys: [], ...secret }
  },
  async put(arriving, before) {
    const { app, work, id, draft, dates, part } = arriving
    const { projectId, name, isActive, clientId, config, secret, keys, apiAccess, agent, secretDates, ...rest } = draft
    nothingElse(rest)
    checkName(name)
    let usable: ApplicationConfig = config
    if (before === undefined && config.type === 'oidc') {
      usable = { ...config, backChannelLogoutUri: '' }
      // If only the address that the server would call at a logout is refused, the rest is carried.
      await part('The back-channel logout URI', () => {
        checkConfig(app, config, '')
        usable = config
      })
    }
    checkConfig(app, usable, '')
    const given = { projectId, name, clientId, config: usable, apiAccess, agent }
    const { owner } =
      before === undefined
        ? await add(app, work, id, given)
        : await work.decide(applications, id, { type: 'follow_metadata', name, config })
    if (isActive !== (before === undefined || before.status === 'active')) {
      await work.decide(applications, id, { type: isActive ? 'reactivate' : 'deactivate' })
    }
    if (secretDates !== undefined) dates(applicationSecrets, id, secretDates)
    await putSecret(arriving, secret, (await work.get(applicationSecrets, id))?.state, {
      async set(hash) {
        if (!usesSecret(config)) throw refused(applicationRefusals, 'application.other_type')
        await work.decide(applicationSecrets, id, { type: 'set', hash }, owner)
      },
      remove: () => work.decide(applicationSecrets, id, { type: 'remove' }),
    })
    await putParts(arriving, applicationKeys, before && { field: 'applicationId', equals: id }, keys, {
      name: 'The key',
      add: (key) => addKey(work, { id, owner, projectId, config }, key),
    })
  },
  remove: ({ app, work, id }) => removeApplicationIn(app, work, id),
})

export const carriedKeys = declare(applicationKeys, {
  as: 'application-key',
  after: ['application'],
  lives: ['active'],
  describe: ({ status: _, projectId: __, ...key }) => key,
  async put({ app, work, id, createdAt, restores, draft }, before) {
    const { applicationId, publicKey, expiresAt, ...rest } = draft
    nothingElse(rest)
    if (before !== undefined) return
    const application = await findApplication(app, applicationId, work)
    if (application === undefined) throw refused(applicationRefusals, 'application.not_found')
    const key = { id, publicKey, expiresAt, ...(restores && { issuedAt: createdAt }) }
    await addKey(work, { ...application, ...application.state }, key)
  },
  remove: 'with its holder',
})

export type ApplicationKeyDraft = DraftOf<typeof carriedKeys>

/** Clients that registered themselves; the ID is the client ID. */
export const carriedClients = declare(registeredClients, {
  as: 'registered-client',
  after: ['application-key'],
  secrets: { hash: 'needed' },
  lives: ['registered'],
  describe: ({ status: _, changes: __, secret, ...client }) => ({ ...client, hash: secret.hash }),
  async put({ app, work, id, owner, draft }, before) {
    const { metadata, projectId, hash, registeredAt: at, endsAt, ...rest } = draft
    nothingElse(rest)
    if (before !== undefined) return
    if (!isRegisteredId(id) || !isSecretHash(hash)) throw refused(applicationRefusals, 'application.client_id_taken')
    checkConfig(app, configOfClient(metadata), 'metadata.')
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    await work.decide(registeredClients, id, { type: 'register', metadata, projectId, hash, at }, owner)
    if (endsAt <= at + UNUSED_MS) return
    await work.decide(registeredClients, id, { type: 'use', at: instant(endsAt - IDLE_MS) })
  },
  remove: 'with its holder',
})
