/**
 * Puts a process together: database and keys, the app, what the modules serve, and the router before it. Nothing listens
 * yet; `cli/serve.ts` opens the port.
 */

import { services as contractServices } from '../contract/gen/services.ts'
import {
  type AuthorizationOptions,
  type Authorize,
  checkEveryMethodIsServed,
  checkMethods,
  openAuthorization,
} from './access/authorization.ts'
import { currentOwners } from './access/current-caller.ts'
import type { Method, StreamMethod } from './access/method.ts'
import { openProvisioning } from './access/provisioning.ts'
import { openReceivers } from './access/signal-receiver.ts'
import { allowedOrigins, type Config, databaseFile } from './config/index.ts'
import { version } from './config/version.ts'
import type { KeyRing } from './crypto/key-ring.ts'
import { openMasterKey } from './crypto/master-key.ts'
import { openPasswords, type Passwords } from './crypto/passwords/index.ts'
import { SealBroken } from './crypto/seal.ts'
import { hashSecret } from './crypto/tokens.ts'
import { identifyAtDoor } from './features/grants/index.ts'
import { organizationOfGroup } from './features/groups/index.ts'
import { apiProjectId, findInstance, openVault } from './features/instances/index.ts'
import { isInboxOpen } from './features/mail/index.ts'
import { type NodeIds, openNodeIds } from './features/node-leases/index.ts'
import { openTokenSearch, organizationState } from './features/organizations/index.ts'
import { relatedOrigins } from './features/passkeys/index.ts'
import { placeOfProject } from './features/projects/index.ts'
import { identifyBearer } from './features/sign-in/index.ts'
import { lastOrganizationOfUser, userNotFound } from './features/users/index.ts'
import type { Admission } from './http/admission/admission.ts'
import { assetRoutes } from './http/assets/asset-routes.ts'
import { eventSchemaPages } from './http/event-schema.ts'
import { eventStreamRoute } from './http/events/event-stream-route.ts'
import type { FinishedRequest, RequestTracer } from './http/exchange.ts'
import { importRoute } from './http/import/import-route.ts'
import { appMetrics } from './http/monitoring/app-metrics.ts'
import type { Pages } from './http/page.ts'
import type { Fault } from './http/protocols/errors.ts'
import { openInterception } from './http/protocols/interception.ts'
import { reflectionMethods } from './http/protocols/reflection.ts'
import { served } from './http/protocols/served-names.ts'
import { openRouter, type Router } from './http/router.ts'
import { wellKnownPages } from './http/well-known.ts'
import { systemClock } from './kernel/instant.ts'
import { isLoopbackHost } from './kernel/loopback.ts'
import { bearerChallenge, PATHS } from './kernel/page-paths.ts'
import type { Tracer } from './kernel/tracer.ts'
import { docsDoorPages, mcpPages } from './mcp/index.ts'
import type { App, AppConfig, Log } from './module/app.ts'
import { openLifecycle } from './module/lifecycle.ts'
import type { EventCounter, JobGroup, KeptMetric, Metric } from './module/module.ts'
import { destinations, kinds, modules } from './modules.ts'
import { identifyByProof, openIdPages } from './openid/index.ts'
import { openGuardedFetch } from './outbound/fetch.ts'
import { samlPages } from './saml/index.ts'
import { scimPages } from './scim/index.ts'
import { ssfPages } from './ssf/index.ts'
import {
  type Engine,
  type JobFailure,
  type Origin,
  openSqlite,
  openStore,
  RETENTION_JOB,
  type Store,
  type StoreObserver,
  startRetention,
} from './store/index.ts'
import {
  apiExplorerPages,
  consolePages,
  documentationPages,
  hostedPages,
  notFoundPage,
  openIdBrowser,
} from './web/index.ts'

/** Why the server does not start, in a sentence for the operator. */
class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

async function openEngine(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  observer: StoreObserver | undefined,
): Promise<Engine> {
  if (databaseUrl === undefined) return openSqlite({ file: databaseFile(dataDir), observer, currentOwners })
  // Loaded only where it is used: the driver is the largest thing a start would read.
  const { openPostgres } = await import('./store/postgres/index.ts')
  return openPostgres({ url: databaseUrl.reveal(), observer, release: version })
}

/** Opens the master key that the configuration names, or that lies in the data folder. */
export function masterKeysOf({ dataDir, databaseUrl, masterKey, masterKeyFile }: Config): () => Promise<KeyRing> {
  const folder = databaseUrl ? {} : { dataDir, dataFile: databaseFile(dataDir) }
  return () => openMasterKey({ text: masterKey?.reveal(), file: masterKeyFile, ...folder })
}

/** Opens the database with the documents of all modules. Without the key that belongs to it, nothing is written. */
export async function openDatabase(config: Config, observer?: StoreObserver): Promise<Store> {
  await masterKeysOf(config)()
  return openKeyless(config, observer)
}

/** For work that needs no key: nothing sealed is read or written. */
export async function openKeyless(
  place: Pick<Config, 'databaseUrl' | 'dataDir'>,
  observer?: StoreObserver,
): Promise<Store> {
  const engine = await openEngine(place, observer)
  try {
    return await openStore(engine, kinds, observer)
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

/** The id of the instance in this database; there is one after the first start. */
export async function findInstanceId(store: Store): Promise<string> {
  const instance = await findInstance(store)
  if (instance === undefined) throw new CannotStart('The database has no instance yet. Run signet start first.')
  return instance.id
}

const lifecycle = openLifecycle(modules)

/** Makes the app of one process from its tools. */
export function createApp(tools: Omit<App, 'lifecycle' | 'kinds' | 'destinations'>): App {
  return Object.freeze({ ...tools, lifecycle, kinds, destinations })
}

/** A request that waits for something is answered a second before the port would cut it off, or at half its time. */
function longestWait(exchangeMs: number): number {
  return Math.max(exchangeMs - 1000, exchangeMs / 2)
}

function appConfigOf(config: Config, externalUrl: string, inboxKey: string | undefined): AppConfig {
  const { externalUrl: given, allowedRedirects, allowsPrivateNetwork, limits } = config
  // Anywhere safe, until the operator says what the server's own places are.
  const isOpen = given === undefined && allowedRedirects.length === 0
  return Object.freeze({
    passkeyOrigins: allowedOrigins(config, externalUrl),
    allowsPrivateNetwork,
    allowedRedirects: isOpen ? 'any' : [externalUrl, ...allowedRedirects],
    longestWaitMs: longestWait(limits.exchangeMs),
    sessionRetentionMs: config.sessionRetentionMs,
    addressRetentionMs: config.addressRetentionMs,
    webKeyRotationMs: config.webKeyRotationMs,
    dataDir: config.dataDir,
    inboxKeyHash: inboxKey === undefined ? '' : hashSecret(inboxKey),
    mailTransport: {},
  })
}

export interface AppOptions {
  readonly config: Config
  readonly externalUrl: string
  readonly log: Log
  readonly store: Store
  /** Where the ids of new objects come from. */
  readonly ids: NodeIds
  /** The key of the development inbox; undefined: its page is locked. */
  readonly inboxKey?: string | undefined
  /** Undefined: there are no traces. */
  readonly tracer?: Tracer | undefined
  /** Hashes passwords; by default without traces. */
  readonly hashing?: Passwords | undefined
  isReady(): Promise<boolean>
}

/** Leases the node number of this process; the code that opened it closes it before the store. */
export function openIdsOf(store: Store, log: Log): Promise<NodeIds> {
  return openNodeIds({ store, onTrouble: (error) => log.warn({ error }, 'the node number could not be renewed') })
}

/** Who is named on what the server does by itself. */
export function systemOrigin(): Origin {
  return { actor: 'server', at: systemClock() }
}

/** Opens the app on a database that has an instance. `prepareModules` comes before the first request. */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, externalUrl, log, store, ids, inboxKey, tracer, isReady } = options
  const instanceId = await findInstanceId(store)
  const masterKeys = masterKeysOf(config)
  const vault = await openVault({ store, masterKeys, instanceId, origin: systemOrigin() }).catch((error) => {
    if (!(error instanceof SealBroken)) throw error
    throw new CannotStart('The master key does not match this database.', { cause: error })
  })
  const fetchOutside = openGuardedFetch({ allowsPrivate: config.allowsPrivateNetwork, tracer })
  return createApp({
    store,
    vault,
    clock: systemClock,
    newId: ids.newId,
    instanceId,
    externalUrl,
    version,
    log,
    tracer,
    config: appConfigOf(config, externalUrl, inboxKey),
    hashing: options.hashing ?? openPasswords({ currentOwners }),
    fetchOutside,
    findDomainToken: openTokenSearch({ fetchOutside }),
    isReady,
    ...served,
  })
}

/** Creates what the modules need in every instance. */
export async function prepareModules(app: App): Promise<void> {
  for (const module of modules) await module.prepare?.(app)
}

/** The link to the development inbox; undefined where its page does not exist, or is locked. */
export async function inboxUrlOf(store: Store, externalUrl: string, key: string | undefined) {
  const url = new URL(PATHS.inbox, externalUrl)
  const hasPage = isLoopbackHost(url.hostname) && (await isInboxOpen({ store }))
  if (key === undefined || !hasPage) return undefined
  url.searchParams.set('key', key)
  return url.href
}

/** Every method that a module serves; throws when the contract declares one that none serves. */
export function methodsOf(app: App): readonly Method[] {
  const methods = modules.flatMap((module) => module.methods?.(app) ?? [])
  const all = [...methods, ...streamMethodsOf(app)]
  checkMethods(all)
  checkEveryMethodIsServed(all, contractServices)
  return methods
}

function streamMethodsOf(app: App): readonly StreamMethod[] {
  return [...modules.flatMap((module) => module.streams?.(app) ?? []), ...reflectionMethods(contractServices)]
}

/** Who may call what, for this app. */
export function authorizationOf(app: App): Authorize {
  return openAuthorization(authorizationOptions(app))
}

function authorizationOptions(app: App): AuthorizationOptions {
  return {
    ...authorizationParts(app),
    identify: (bearer, at, origin, digest) => identifyBearer(app, bearer, at, { origin, digest }),
    identifyByProof: (token, at, shown, origin) => identifyByProof(app, token, at, { shown, origin }),
  }
}

/** As above, at the door for agents, which takes other tokens. */
function doorAuthorizationOf(app: App): Authorize {
  return openAuthorization({
    ...authorizationParts(app),
    identify: (bearer, at, origin) => identifyAtDoor(app, bearer, at, origin),
  })
}

function authorizationParts(app: App) {
  return {
    organization: (id: string) => organizationState(app, id),
    organizationOfUser: (id: string) => lastOrganizationOfUser(app, id),
    userNotFound,
    organizationOfGroup: (id: string) => organizationOfGroup(app, id),
    placeOfProject: (id: string) => placeOfProject(app, id),
    apiProjectId: () => apiProjectId(app),
    instanceId: app.instanceId,
    clock: app.clock,
  } satisfies Partial<AuthorizationOptions>
}

export interface RouterParts {
  /** Addresses and networks of the proxies in front of the server. */
  readonly trustedProxies?: readonly string[]
  /** Pages of the process itself: probes, metrics, the OpenAPI document. */
  readonly pages: Pages
  /** Decides what is served when the server is overloaded. */
  readonly admission?: Admission | undefined
  onFinish(finished: FinishedRequest): void
  readonly tracer?: RequestTracer | undefined
}

/** Every route of the server: methods, streams and pages. */
export function routerOf(app: App, parts: RouterParts): Router {
  const { pages, onFinish, admission, trustedProxies = [], tracer } = parts
  const browser = openIdBrowser(app)
  const methods = methodsOf(app)
  const streamMethods = streamMethodsOf(app)
  const authorize = authorizationOf(app)
  const { asOneRequest } = app.store
  const intercept = openInterception(app)
  const log = (fault: Fault) => app.log.error(fault, 'request failed')
  const fault = (error: unknown, requestId?: string) => app.log.error({ error, requestId }, 'page failed')
  return openRouter({
    methods,
    streamMethods,
    authorize,
    intercept,
    streams: [
      importRoute({ app, methods, authorize, intercept, log, admission }),
      eventStreamRoute({ streamMethods, authorize, admission, asOneRequest, log }),
    ],
    pages: new Map([
      ...hostedPages({ app, fault }),
      ...consolePages({ app }),
      ...apiExplorerPages({ app }),
      ...documentationPages({ app }),
      ...openIdPages({ app, ...browser }),
      ...samlPages({ app, ...browser }),
      ...docsDoorPages(app),
      ...mcpPages({ app, methods, authorize: doorAuthorizationOf(app), intercept, log }),
      ...scimPages({ app, authorize: openProvisioning(authorizationOptions(app)), log }),
      ...ssfPages({ app, authorize: openReceivers(authorizationOptions(app)), log }),
      ...assetRoutes({ app, authorize, log }),
      ...wellKnownPages(relatedOrigins(app)),
      ...eventSchemaPages(app),
      ...pages,
    ]),
    notFoundPage: notFoundPage(app.externalUrl),
    challenge: bearerChallenge(app.externalUrl, ''),
    onFinish,
    admission,
    trustedProxies,
    asOneRequest,
    tracer,
    log,
  })
}

/**
 * The OpenAPI document as JSON text, of all services or of one; undefined: there is no such service. The texts in it are
 * loaded only for this.
 */
export async function openApiOf({ externalUrl, version }: App, service?: string): Promise<string | undefined> {
  const { openApiDocument } = await import('./http/openapi/document.ts')
  const services = contractServices.filter(({ typeName }) => service === undefined || typeName === service)
  return services.length === 0 ? undefined : JSON.stringify(openApiDocument(services, { externalUrl, version }))
}

/** The services of which there is a document, as JSON text. */
export async function openApiServices(): Promise<string> {
  const { describedServices } = await import('./http/openapi/document.ts')
  return JSON.stringify(describedServices(contractServices))
}

function jobGroupsOf(app: App): readonly JobGroup[] {
  return modules.flatMap((module) => module.jobs?.(app) ?? [])
}

/** What is counted beside requests: jobs, passwords, and what the modules declare. */
export function metricsOf(app: App): readonly (Metric | KeptMetric)[] {
  // Jobs that repeat without end always wait.
  const repeating = [
    RETENTION_JOB,
    ...jobGroupsOf(app).flatMap(({ repeats, stays = [] }) => [repeats ?? [], stays].flat()),
  ]
  return [...appMetrics(app, repeating), ...modules.flatMap((module) => module.metrics?.(app) ?? [])]
}

/** What is counted of the events that are committed. */
export const eventCounters: readonly EventCounter[] = modules.flatMap((module) => module.counters ?? [])

/** Runs the jobs of all modules, and the one that removes ended streams from the log. Closing the store stops them. */
export async function startJobs(app: App): Promise<void> {
  const { store, log, instanceId, clock } = app
  const report = {
    onFailure: (failure: JobFailure) => log.warn(failure, 'job failed'),
    onTrouble: (error: unknown) => log.warn({ error }, 'could not fetch jobs'),
  }
  for (const { handlers, options, repeats } of jobGroupsOf(app)) {
    if (repeats !== undefined) await store.jobs.schedule(repeats, repeats, clock())
    store.jobs.run(handlers, { ...options, ...report })
  }
  for (const module of modules) module.begin?.(app)
  const retentions = modules.flatMap((module) => module.retention?.(app) ?? [])
  await startRetention({ store, instanceId }, { retentions, clock, ...report })
}

/** Finishes what is being written and closes what the app has opened. */
export async function closeApp(app: App): Promise<void> {
  for (const module of modules) await module.close?.(app)
  await app.hashing.close()
  await app.store.close()
}
