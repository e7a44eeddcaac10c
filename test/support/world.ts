/**
 * THE builder of test worlds: the real app with all modules on a fresh database, as `src/app.ts` puts it together, but
 * without a port. Methods are called with real tokens, or with the bearers of made-up callers.
 *
 * `openWorld({ engine })` does a real first start: `world.owner` is the token of the machine administrator.
 * `openWorld({ engine, organizations: ['north', 'south'], callers: {...} })` has an instance `instance` with these
 * organizations under fixed ids, and bearers that stand for the given callers.
 * Further nodes on the same data: `world.another()`. What waits to be sent: `world.outbox()`.
 */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { type Authorize, openAuthorization } from '../../src/access/authorization.ts'
import type { Caller } from '../../src/access/call.ts'
import type { Method } from '../../src/access/method.ts'
import { createApp, methodsOf } from '../../src/app.ts'
import { type KeyRing, keyRing, newKey } from '../../src/crypto/key-ring.ts'
import { openPasswords, type Passwords } from '../../src/crypto/passwords/index.ts'
import { hashSecret } from '../../src/crypto/tokens.ts'
import { organizationOfGroup } from '../../src/features/groups/index.ts'
import { apiProjectId, findInstance, instances, openVault } from '../../src/features/instances/index.ts'
import { ADMIN_TOKEN_FILE, firstStart } from '../../src/features/onboarding/index.ts'
import { organizationState, organizations } from '../../src/features/organizations/index.ts'
import { placeOfProject } from '../../src/features/projects/index.ts'
import { identifyBearer } from '../../src/features/sign-in/index.ts'
import { lastOrganizationOfUser, userNotFound } from '../../src/features/users/index.ts'
import { served } from '../../src/http/protocols/served-names.ts'
import { type NewId, newId, openIds } from '../../src/kernel/id.ts'
import { type Clock, type Instant, instant } from '../../src/kernel/instant.ts'
import type { App, AppConfig } from '../../src/module/app.ts'
import { kinds, modules } from '../../src/modules.ts'
import { type GuardedFetch, openGuardedFetch } from '../../src/outbound/fetch.ts'
import {
  type JobFailure,
  type JobHandlers,
  type JobRunner,
  type Origin,
  openStore,
  type Store,
} from '../../src/store/index.ts'
import { type CallMethod, type CallOptions, callMethods } from './calls.ts'
import { type Contents, noEvents, openTestStore, type TestEngine } from './engines.ts'
import { opening, openingOn } from './opening.ts'

export const NOON = instant(1_800_000_000_000)
export const EXTERNAL_URL = 'http://localhost:8080'

/** Made-up callers by bearer; a function may make them up on the spot. */
export type Callers = Readonly<Record<string, Caller>> | ((bearer: string) => Caller | undefined)

export interface WorldOptions {
  readonly engine?: TestEngine | undefined
  /** Organizations with fixed IDs, the first one is the default; without them there is a real first start. */
  readonly organizations?: readonly string[]
  readonly callers?: Callers
  /** If not set, it shows noon until the test moves `world.clock.now`. */
  readonly clock?: Clock
  readonly externalUrl?: string
  readonly config?: Partial<AppConfig>
  readonly fetchOutside?: GuardedFetch
  readonly hashing?: Passwords
}

/** One process on the data. */
export interface WorldNode {
  readonly app: App
  readonly store: Store
  readonly call: CallMethod
  readonly methods: readonly Method[]
  /** Authorizes requests like the server, including made-up callers. */
  readonly authorize: Authorize
  /** Starts to run the jobs of all modules; failures are kept in `world.failures`. */
  run(): JobRunner
}

/** An email or text message that waits to be sent, with its decrypted values. */
export interface QueuedMessage {
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, unknown>>
}

export interface World extends WorldNode {
  readonly instanceId: string
  readonly defaultOrganizationId: string
  readonly administratorId: string
  readonly machineAdministratorId: string
  /** The token of the machine administrator, who has all permissions; only after a real first start. */
  readonly owner: CallOptions
  /** The time of every call; tests move it. */
  readonly clock: { now: Instant }
  /** The domains on which the token of a validation is found. */
  readonly provenDomains: Set<string>
  readonly failures: JobFailure[]
  readonly dataDir: string
  /** The keys that encrypt its data keys. */
  readonly masterKeys: () => Promise<KeyRing>
  origin(): Origin
  /** Runs every job that is due, until none is left. */
  runJobs(): Promise<void>
  outbox(): Promise<readonly QueuedMessage[]>
  another(): Promise<WorldNode>
  /** Adds a machine user with a token and, if given, roles; returns its ID and how it calls. */
  addMachine(options?: NewMachine): Promise<{ readonly userId: string; readonly request: CallOptions }>
  dispose(): Promise<void>
}

export interface NewMachine {
  readonly organizationId?: string
  readonly instanceRoles?: readonly string[]
  readonly organizationRoles?: readonly string[]
}

let sharedHashing: Passwords | undefined

/** One for all worlds of a process, with the cheapest hashes. */
function cheapHashing(): Passwords {
  sharedHashing ??= openPasswords({ currentOwners: () => ['test'], costs: { memoryKib: 8192, passes: 1, lanes: 1 } })
  return sharedHashing
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} } as unknown as App['log']

/** The key of the development inbox in tests. */
export const INBOX_KEY = 'the-key-of-the-inbox'

const TEST_CONFIG: AppConfig = {
  passkeyOrigins: undefined,
  allowsPrivateNetwork: true,
  allowedRedirects: 'any',
  longestWaitMs: 29_000,
  sessionRetentionMs: 30 * 86_400_000,
  addressRetentionMs: 30 * 86_400_000,
  webKeyRotationMs: 90 * 86_400_000,
  dataDir: undefined,
  inboxKeyHash: hashSecret(INBOX_KEY),
  mailTransport: {},
}

/** A running job keeps its lease although a test moves the clock. */
const LONG_LEASE_MS = 10 * 86_400_000

interface Founded {
  readonly instanceId: string
  readonly defaultOrganizationId: string
  readonly administratorId: string
  readonly machineAdministratorId: string
  readonly bearer: string
}

/** The ids of one node. Tests move the clock by days, so the range has no end and there is no lease. */
function idsOf(node: number, clock: Clock): NewId {
  const ids = openIds({ node, from: instant(0), until: instant(Number.MAX_SAFE_INTEGER), clock })
  return () => ids.next() ?? ''
}

/** What a first start left behind. */
async function foundedBy(store: Store, dataDir: string): Promise<Founded> {
  const instance = await findInstance(store)
  if (instance?.state.status !== 'running') throw new Error('the first start left no instance')
  const bearer = (await readFile(join(dataDir, ADMIN_TOKEN_FILE), 'utf8')).trim()
  return { ...instance.state, instanceId: instance.id, bearer }
}

/** A database after a first start at noon. */
const STARTED: Contents = {
  key: 'first-start',
  async make(engine, dataDir) {
    const clock = () => NOON
    const store = await openStore(engine, kinds)
    await firstStart({ store, newId: idsOf(0, clock), clock, dataDir, externalUrl: EXTERNAL_URL })
  },
}

async function startWith(store: Store, clock: Clock, ids: readonly string[]): Promise<Founded> {
  const founded = {
    instanceId: 'instance',
    defaultOrganizationId: ids[0] ?? '',
    administratorId: 'boss',
    machineAdministratorId: 'robot',
    bearer: 'boss',
  }
  await store.write({ actor: 'server', at: clock() }, async (work) => {
    for (const id of ids) await work.decide(organizations, id, { type: 'add', name: `The ${id}` }, id)
    const { instanceId, bearer: _, ...rest } = founded
    await work.decide(instances, instanceId, { type: 'create', name: 'Test', ...rest }, instanceId)
  })
  return founded
}

/** A part that a world can have, such as people with passkeys: what the world is opened with, and what the part adds. */
export interface Part<Added extends object> {
  readonly options?: WorldOptions
  given(world: World): Added | Promise<Added>
}

/** A world with what a part adds. */
export type WorldWith<Added extends object> = Omit<World, keyof Added> & Added

/** Opens a world on an empty database, with a part if one is given. Options of the test count more than those of the part. */
export async function openWorld(options?: WorldOptions): Promise<World>
export async function openWorld<Added extends object>(
  options: WorldOptions,
  part: Part<Added>,
): Promise<WorldWith<Added>>
export async function openWorld(options: WorldOptions = {}, part?: Part<object>): Promise<World> {
  if (part === undefined) return openBareWorld(options)
  const config = { ...part.options?.config, ...options.config }
  const opened = openBareWorld({ ...part.options, ...options, config })
  return openingOn(opened, async (world) => ({ ...world, ...(await part.given(world)) }))
}

function openBareWorld(options: WorldOptions): Promise<World> {
  return opening((opened) => openParts(options, opened))
}

async function openParts(options: WorldOptions, opened: AsyncDisposableStack): Promise<World> {
  const { engine, callers = {}, externalUrl = EXTERNAL_URL, hashing = cheapHashing() } = options
  const isStarted = [options.organizations, options.clock, options.externalUrl].every((one) => one === undefined)
  const contents = isStarted ? STARTED : noEvents(kinds)
  const { store, files = '', another, dispose } = await openTestStore(kinds, engine, contents)
  opened.defer(dispose)
  const dataDir = await mkdtemp(join(tmpdir(), 'signet-world-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  const time = { now: NOON }
  const clock = options.clock ?? (() => time.now)
  if (isStarted) await cp(files, dataDir, { recursive: true })
  else if (options.organizations === undefined) {
    await firstStart({ store, newId: idsOf(0, clock), clock, dataDir, externalUrl })
  }
  const founded =
    options.organizations === undefined
      ? await foundedBy(store, dataDir)
      : await startWith(store, clock, options.organizations)
  const { instanceId, bearer } = founded
  const provenDomains = new Set<string>()
  const failures: JobFailure[] = []
  const ring = keyRing([newKey()])
  const masterKeys = async () => ring
  const madeUp = typeof callers === 'function' ? callers : (name: string) => callers[name]
  const origin = () => ({ actor: 'server', at: clock() }) as const
  const config = { ...TEST_CONFIG, dataDir, ...options.config }

  let lastNode = 0
  const openNode = async (node: Store): Promise<WorldNode> => {
    const app = createApp({
      store: node,
      vault: await openVault({ store: node, masterKeys, instanceId, origin: origin() }),
      clock,
      newId: idsOf(++lastNode, clock),
      instanceId,
      externalUrl,
      version: 'test',
      log: SILENT,
      config,
      hashing,
      fetchOutside: options.fetchOutside ?? openGuardedFetch({ allowsPrivate: config.allowsPrivateNetwork }),
      findDomainToken: async (domain) => provenDomains.has(domain),
      isReady: async () => true,
      ...served,
    })
    const methods = methodsOf(app)
    const authorize = openAuthorization({
      identify: async (shown, at, origin) => madeUp(shown) ?? identifyBearer(app, shown, at, { origin }),
      organization: (id) => organizationState(app, id),
      organizationOfUser: (id) => lastOrganizationOfUser(app, id),
      userNotFound,
      organizationOfGroup: (id) => organizationOfGroup(app, id),
      placeOfProject: (id) => placeOfProject(app, id),
      apiProjectId: () => apiProjectId(app),
      instanceId,
      clock,
    })
    return {
      app,
      store: node,
      call: callMethods(methods, authorize),
      methods,
      authorize,
      run: () => runJobsOf(app, (failure) => failures.push(failure)),
    }
  }

  const first = await openNode(store)
  const owner = { bearer }
  return {
    ...first,
    ...founded,
    owner,
    clock: time,
    provenDomains,
    failures,
    dataDir,
    masterKeys,
    origin,
    runJobs: () => runAllJobs(first.app),
    outbox: () => openOutbox(first.app),
    another: async () => openNode(await another()),
    addMachine: (machine = {}) => addMachine(first.call, owner, founded.defaultOrganizationId, machine),
    async dispose() {
      await dispose()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** All jobs of all modules, as one set. */
export function jobsOf(app: App): JobHandlers {
  return Object.assign({}, ...modules.flatMap((module) => (module.jobs?.(app) ?? []).map(({ handlers }) => handlers)))
}

function runJobsOf(app: App, onFailure: (failure: JobFailure) => void): JobRunner {
  const groups = modules.flatMap((module) => module.jobs?.(app) ?? [])
  const runners = groups.map(({ handlers, options }) =>
    app.store.jobs.run(handlers, {
      ...options,
      clock: app.clock,
      pollMilliseconds: 5,
      leaseMilliseconds: LONG_LEASE_MS,
      onFailure,
    }),
  )
  return {
    wake() {
      for (const runner of runners) runner.wake()
    },
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}

/** Runs the jobs that are due until none is left but parked ones. */
async function runAllJobs(app: App): Promise<void> {
  const failures: unknown[] = []
  const onFailure = ({ error }: { readonly error: unknown }) => failures.push(error)
  const runner = app.store.jobs.run(jobsOf(app), { clock: app.clock, pollMilliseconds: 10, onFailure })
  while ((await app.store.jobs.count()).waiting > 0 && failures.length === 0) await sleep(5)
  await runner.stop()
  if (failures.length > 0) throw failures[0]
}

async function openOutbox({ store, vault }: App): Promise<readonly QueuedMessage[]> {
  const messages: QueuedMessage[] = []
  for (const { kind, member } of modules.flatMap((module) => module.sealedJobs ?? [])) {
    for (const { id, data } of await store.jobs.list({ kind, limit: 1000 })) {
      const stored = data as { readonly secret: { readonly values: string } }
      const text = await vault.open({ kind, id, member }, stored.secret.values)
      messages.push({ kind, data: stored as never, values: JSON.parse(text) })
    }
  }
  return messages
}

async function addMachine(
  call: CallMethod,
  owner: CallOptions,
  defaultOrganizationId: string,
  { organizationId, instanceRoles, organizationRoles }: NewMachine,
) {
  const home = organizationId ?? defaultOrganizationId
  const inHome = { ...owner, organizationId: home }
  const name = `machine-${newId()}`
  const { userId } = await call(ManagementService.method.addMachineUser, { userName: name, name }, inHome)
  const { token } = await call(ManagementService.method.addPersonalAccessToken, { userId }, inHome)
  const { createAdministrator } = InternalPermissionService.method
  if (instanceRoles !== undefined) {
    const resource = { resource: { case: 'instance', value: true } } as const
    await call(createAdministrator, { userId, resource, roles: [...instanceRoles] }, owner)
  }
  if (organizationRoles !== undefined) {
    const resource = { resource: { case: 'organizationId', value: home } } as const
    await call(createAdministrator, { userId, resource, roles: [...organizationRoles] }, owner)
  }
  return { userId, request: { bearer: token } }
}
