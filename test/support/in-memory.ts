/**
 * The whole house in memory, as main wires it but without a port: every room on one store, the first start done.
 * Tests call methods with real personal access tokens and get replies as they come off the wire.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { Method } from '../../src/access/method.ts'
import { keyRing, newKey } from '../../src/crypto/key-ring.ts'
import { ADMIN_TOKEN_FILE, firstStart } from '../../src/features/first-start/index.ts'
import { findInstance, type MasterKeys, openVault } from '../../src/features/instances/index.ts'
import { organizationState } from '../../src/features/organizations/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import { eventTypes, kinds, openRooms, type Rooms } from '../../src/rooms.ts'
import type { JobHandlers, Store } from '../../src/store/index.ts'
import { openTestStore, type TestEngine } from './engines.ts'
import { outside, runAllJobs } from './outside.ts'
import { type CallRoom, callRooms, type RoomCall } from './room-calls.ts'

/** Every kind of the house. */
export const allKinds = kinds

/** The event types of every room. */
export const allEventTypes = eventTypes

/** The domains on which the token of a validation is found, whatever it is. */
export type ProvenDomains = Set<string>

export interface House {
  readonly store: Store
  readonly call: CallRoom
  readonly instanceId: string
  readonly defaultOrganizationId: string
  readonly administratorId: string
  readonly machineAdministratorId: string
  /** The token of the machine administrator, who may do everything. */
  readonly owner: RoomCall
  /** The time of every call; tests move it. */
  readonly clock: { now: Instant }
  readonly provenDomains: ProvenDomains
  readonly jobs: JobHandlers
  readonly methods: readonly Method[]
  readonly rooms: Rooms
  /** Runs every job that is due, until none is left. */
  runJobs(): Promise<void>
  readonly dataDir: string
  /** What its data keys are sealed with. */
  readonly masterKeys: MasterKeys
  /** Another node on the same data. */
  another(): Promise<{ readonly store: Store; readonly call: CallRoom; readonly rooms: Rooms }>
  /** Adds a machine with a token and, if given, roles; answers its id and how it calls. */
  addMachine(options?: NewMachine): Promise<{ readonly userId: string; readonly request: RoomCall }>
  dispose(): Promise<void>
}

export interface NewMachine {
  readonly organizationId?: string
  readonly instanceRoles?: readonly string[]
  readonly organizationRoles?: readonly string[]
}

export const EXTERNAL_URL = 'http://localhost:8080'

/** Opens the house on an empty database and does the first start. */
export async function openHouse(engine?: TestEngine): Promise<House> {
  const { store, another, dispose } = await openTestStore(allKinds, engine)
  const dataDir = await mkdtemp(join(tmpdir(), 'signet-house-'))
  const clock = { now: instant(1_800_000_000_000) }
  const { instanceId } = await firstStart({ store, newId, clock: () => clock.now, dataDir, externalUrl: EXTERNAL_URL })
  const state = (await findInstance(store))?.state
  if (state?.status !== 'running') throw new Error('the first start left no instance')
  const provenDomains: ProvenDomains = new Set()

  const masterKeys = keyRing([newKey()])

  const wire = async (node: Store) => {
    const origin = { actor: 'system', at: clock.now }
    const vault = await openVault({ store: node, masterKeys: async () => masterKeys, instanceId, origin })
    const rooms = openRooms({
      ...outside(),
      store: node,
      vault,
      clock: () => clock.now,
      instanceId: instanceId,
      externalUrl: EXTERNAL_URL,
      findToken: async (domain) => provenDomains.has(domain),
    })
    const { methods } = rooms
    const call = callRooms(methods, {
      identify: rooms.identify,
      organization: (id) => organizationState(node, id),
      instanceId: instanceId,
      clock: () => clock.now,
    })
    const jobs: JobHandlers = Object.assign({}, ...rooms.jobs.map(({ handlers }) => handlers))
    return { store: node, call, methods, jobs, rooms }
  }

  const { call, methods, jobs, rooms } = await wire(store)
  const bearer = (await readFile(join(dataDir, ADMIN_TOKEN_FILE), 'utf8')).trim()
  const owner = { bearer }

  const addMachine = async ({ organizationId, instanceRoles, organizationRoles }: NewMachine = {}) => {
    const home = organizationId ?? state.defaultOrganizationId
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

  return {
    store,
    call,
    instanceId,
    ...state,
    owner,
    clock,
    provenDomains,
    jobs,
    methods,
    rooms,
    runJobs: () => runAllJobs(store, jobs, () => clock.now),
    dataDir,
    masterKeys: async () => masterKeys,
    another: async () => wire(await another()),
    addMachine,
    async dispose() {
      await dispose()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
