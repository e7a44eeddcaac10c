/**
 * Clients that nobody prepared: known by a metadata document, or registered by themselves. They belong to no project. For
 * each project whose resources they are used for, there is an application, and one that signs users in without a resource.
 * It is stored when the first user allows it; so strangers alone make nothing.
 */
import { createHash } from 'node:crypto'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { isResourceUri } from '../../../module/token-party.ts'
import type { Document, Reader, Work } from '../../../store/index.ts'
import { apiProjectId } from '../../instances/index.ts'
import { findProject, type LivingProject } from '../../projects/index.ts'
import { securitySettings } from '../../settings/index.ts'
import { applications } from '../documents.ts'
import type { AgentKind, AgentUse, ClientKeys, OidcConfig } from '../events.ts'
import { applicationRefusals } from '../refusals.ts'
import { evolveApplication, isLiving, type LivingApplication } from '../state.ts'
import { type ClientMetadata, configOfClient, nameOf } from './client-metadata.ts'
import { documentAt, isDocumentUrl, isInDomains, rememberedDocument } from './document-clients.ts'
import { isRegisteredId, registeredClient } from './registered-clients.ts'

/** A client that nobody prepared, while the instance allows such clients. */
export interface AgentClient {
  readonly kind: AgentKind
  readonly clientId: string
  readonly name: string
  readonly config: OidcConfig
  /** What it proves itself with; undefined: it does not. */
  readonly keys?: ClientKeys | undefined
  /** The only project whose resources it can ask for; undefined: all that allow such clients. */
  readonly onlyProjectId?: string | undefined
}

/** What such a client is in a project. */
interface ActiveAgent {
  readonly application: Document<LivingApplication>
  readonly project: Document<LivingProject>
}

/** Which kind of client has this ID, by its form alone; undefined: it is one that somebody prepared, or none. */
export function agentKindOf(clientId: string): AgentKind | undefined {
  if (isRegisteredId(clientId)) return 'registration'
  return isDocumentUrl(clientId) ? 'document' : undefined
}

/** Whether a name has the form of the client ID of such a client, and these are allowed: nobody else can have it then. */
export async function isAgentName(app: App, text: string): Promise<boolean> {
  const kind = agentKindOf(text)
  if (kind === undefined) return false
  const { allowsDocumentClients, allowsClientRegistration } = await securitySettings(app)
  return (kind === 'document' ? allowsDocumentClients : allowsClientRegistration) === true
}

/** Whether the instance allows a client of this kind now. */
async function isAllowedHere(app: App, kind: AgentKind, clientId: string, reader: Reader): Promise<boolean> {
  const security = await securitySettings(app, reader)
  if (kind === 'registration') return security.allowsClientRegistration
  const domains = security.documentClientDomains ?? []
  // What tokens name as their audience is nobody's client ID.
  return (
    security.allowsDocumentClients === true && isInDomains(clientId, domains) && !(await isResourceUri(app, clientId))
  )
}

/** Whether a project allows clients of this kind. */
function isAllowedAt({ state }: Document<LivingProject>, kind: AgentKind): boolean {
  return (kind === 'document' ? state.allowsDocumentClients : state.allowsRegisteredClients) === true
}

function clientOf(kind: AgentKind, clientId: string, metadata: ClientMetadata, onlyProjectId?: string): AgentClient {
  const name = nameOf(metadata, clientId)
  return { kind, clientId, name, config: configOfClient(metadata), keys: metadata.keys, onlyProjectId }
}

/**
 * The client with this ID, as far as that is known without asking anybody outside; undefined when there is none, when its
 * document is not remembered, or when the instance does not allow it.
 */
export async function knownAgent(
  app: App,
  clientId: string,
  reader: Reader = app.store,
): Promise<AgentClient | undefined> {
  const kind = agentKindOf(clientId)
  if (kind === undefined || !(await isAllowedHere(app, kind, clientId, reader))) return undefined
  if (kind === 'document') {
    const found = rememberedDocument(app, clientId)
    return typeof found === 'object' ? clientOf(kind, clientId, found) : undefined
  }
  const registered = await registeredClient(app, clientId, reader)
  return registered && clientOf(kind, clientId, registered.state.metadata, registered.state.projectId)
}

/** The client with this ID, or why there is none. Its document is fetched where that is needed and `mayFetch` allows it. */
export async function findAgent(
  app: App,
  clientId: string,
  mayFetch: () => boolean,
): Promise<AgentClient | string | undefined> {
  const kind = agentKindOf(clientId)
  if (kind !== 'document') return knownAgent(app, clientId)
  if (!(await isAllowedHere(app, kind, clientId, app.store))) return undefined
  const found = await documentAt(app, clientId, mayFetch)
  return typeof found === 'string' ? found : clientOf(kind, clientId, found)
}

/** The ID of the application that a client is in a project; of the one that signs users in, for no project. */
export function agentApplicationId(projectId: string, clientId: string): string {
  return `agent-${createHash('sha256').update(`${projectId}\n${clientId}`).digest('base64url')}`
}

/** Whether a client may be used for a project: the instance and the project allow its kind, and it is still there. */
async function isAgentAllowed(
  app: App,
  kind: AgentKind,
  clientId: string,
  project: Document<LivingProject>,
  reader: Reader,
): Promise<boolean> {
  if (!isAllowedAt(project, kind) || !(await isAllowedHere(app, kind, clientId, reader))) return false
  if (kind === 'document') return true
  const registered = await registeredClient(app, clientId, reader)
  if (registered === undefined) return false
  const { owner, state } = registered
  return [app.instanceId, project.owner].includes(owner) && (state.projectId ?? project.id) === project.id
}

/** Whether a client may sign users in: the instance allows its kind, and it is still there. No project is asked, nor names it. */
async function maySignIn(app: App, kind: AgentKind, clientId: string, reader: Reader): Promise<boolean> {
  if (!(await isAllowedHere(app, kind, clientId, reader))) return false
  return kind === 'document' || (await registeredClient(app, clientId, reader)) !== undefined
}

/**
 * A stored application of such a client as it is now; undefined when it may not be used. What a client says in its
 * registration counts at once; what it says in a document, when that was read for a new request.
 */
export async function currentAgent(
  app: App,
  application: Document<LivingApplication>,
  project: Document<LivingProject>,
  reader: Reader,
): Promise<Document<LivingApplication> | undefined> {
  const { agent, clientId } = application.state
  if (agent === undefined) return application
  const isAllowed = agent.isForSignIn
    ? maySignIn(app, agent.kind, clientId, reader)
    : isAgentAllowed(app, agent.kind, clientId, project, reader)
  if (!(await isAllowed)) return undefined
  const registered = agent.kind === 'registration' ? await registeredClient(app, clientId, reader) : undefined
  if (registered === undefined) return application
  const { metadata } = registered.state
  const state = { ...application.state, name: nameOf(metadata, clientId), config: configOfClient(metadata) }
  return { ...application, state } as Document<LivingApplication>
}

/**
 * The application that a client is in a project, stored or not; undefined when it may not be used there, or when somebody
 * deactivated or removed the application. Without a project, it is the one that signs users in.
 */
export async function agentApplication(
  app: App,
  client: AgentClient,
  wanted: Document<LivingProject> | undefined,
  reader: Reader = app.store,
): Promise<ActiveAgent | undefined> {
  const { kind, clientId, name, config } = client
  const project = wanted ?? (await findProject(app, await apiProjectId(app, reader), reader))
  if (project === undefined) return undefined
  const isAllowed =
    wanted === undefined ? maySignIn(app, kind, clientId, reader) : isAgentAllowed(app, kind, clientId, wanted, reader)
  if (!(await isAllowed)) return undefined
  const id = agentApplicationId(wanted?.id ?? '', clientId)
  if ((await app.store.getRemoved(applications, id)) !== undefined) return undefined
  const stored = await reader.get(applications, id)
  if (stored !== undefined && isLiving(stored.state)) {
    if (stored.state.status !== 'active') return undefined
    return {
      application: { ...stored, state: { ...stored.state, name, config } } as Document<LivingApplication>,
      project,
    }
  }
  const agent: AgentUse = { kind, ...(wanted === undefined && { isForSignIn: true }) }
  const data = { projectId: project.id, name, clientId, config, agent }
  const state = evolveApplication({ status: 'unknown' }, { type: 'application.added.v1', data }) as LivingApplication
  const at = app.clock()
  return {
    application: {
      id,
      owner: project.owner,
      state,
      createdAt: at,
      changedAt: at,
    } as unknown as Document<LivingApplication>,
    project,
  }
}

/** Stores the application of a client in the write that gives it something for the first time, or what changed in it. */
export async function keepAgentApplication(
  app: App,
  work: Work,
  client: AgentClient,
  wanted: Document<LivingProject> | undefined,
): Promise<void> {
  const found = await agentApplication(app, client, wanted, work)
  if (found === undefined) throw refused(applicationRefusals, 'application.not_found')
  const { application, project } = found
  const { id, state } = application
  const { name, config } = client
  const stored = await work.get(applications, id)
  if (stored === undefined || !isLiving(stored.state)) {
    const { projectId, clientId, agent } = state
    const command = { type: 'add', projectId, name, clientId, config, ...(agent && { agent }) } as const
    await work.decide(applications, id, command, project.owner)
    const none = { type: 'set_api_access', access: 'none', allowedBy: '' } as const
    await work.decide(applications, id, none, project.owner)
    return
  }
  await work.decide(applications, id, { type: 'follow_metadata', name, config }, project.owner)
}
