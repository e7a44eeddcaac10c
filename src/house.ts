/** The only file that knows every room: it wires them to the store, the gate and each other. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkMethods, openGate } from './access/gate.ts'
import type { Method } from './access/method.ts'
import { CannotOpen, type FirstStart, type HouseOptions, type OpenHouse } from './cli/house.ts'
import { version } from './cli/version.ts'
import { type Config, databaseFile } from './config/index.ts'
import { newMachineKeyPair } from './crypto/machine-key.ts'
import { openMasterKey } from './crypto/master-key.ts'
import { SealBroken } from './crypto/seal.ts'
import { auditMethods } from './features/audit/index.ts'
import { ADMIN_TOKEN_FILE, firstStart, SETUP_LINK_FILE } from './features/first-start/index.ts'
import {
  findInstance,
  instanceEventTypes,
  instanceMethods,
  instances,
  keyRings,
  openVault,
  reissueSetupLink,
  rotateDataKey,
  rotateMasterKeyFile,
  setupCodes,
} from './features/instances/index.ts'
import {
  identifyByPersonalAccessToken,
  machineEventTypes,
  machineKeys,
  machineMethods,
  machineSecrets,
  personalAccessTokens,
  removeCredentials,
} from './features/machines/index.ts'
import {
  addMemberTo,
  keepAnOwner,
  membershipEventTypes,
  membershipMethods,
  memberships,
  removeMembershipsOf,
  sweepMemberships,
  sweepUsers,
} from './features/memberships/index.ts'
import {
  findToken,
  organizationEventTypes,
  organizationJobs,
  organizationMethods,
  organizationState,
  organizations,
} from './features/organizations/index.ts'
import { userEventTypes, userMethods, users } from './features/users/index.ts'
import { openFront } from './http/front.ts'
import { openApiDocument } from './http/openapi.ts'
import { newId } from './kernel/id.ts'
import { systemClock } from './kernel/instant.ts'
import { type AnyKind, type Engine, openSqlite, openStore, type Store } from './store/index.ts'

/** Every kind of stream and document. */
export const kinds: readonly AnyKind[] = [
  instances,
  keyRings,
  setupCodes,
  organizations,
  users,
  memberships,
  personalAccessTokens,
  machineKeys,
  machineSecrets,
]

const eventTypes = [
  ...instanceEventTypes,
  ...organizationEventTypes,
  ...userEventTypes,
  ...membershipEventTypes,
  ...machineEventTypes,
]

/** What follows when a user is removed, wherever the removal comes from. */
const stepsOfRemoval = (store: Store, instanceId: () => string) => [
  removeCredentials(store),
  removeMembershipsOf({ store, instanceId }),
]

/** Every method of the contract with the room that serves it. */
export const allMethods = (store: Store, instanceId: () => string, externalUrl: string): readonly Method[] => [
  ...instanceMethods({ store, instanceId, version, externalUrl }),
  ...organizationMethods({
    store,
    newId,
    instanceId,
    findToken,
    addAdministrator: async (work, call, { organizationId, userId, roles }) => {
      const scope = { level: 'organization', id: organizationId } as const
      await addMemberTo({ store, instanceId }, work, call, { scope, userId, roles })
    },
    beforeClosing: [keepAnOwner(store, instanceId)],
  }),
  ...userMethods({ store, newId, whenRemoved: stepsOfRemoval(store, instanceId) }),
  ...machineMethods({ store, newId, newKeyPair: newMachineKeyPair }),
  ...membershipMethods({ store, instanceId }),
  ...auditMethods({ store, kinds, eventTypes }),
]

const openEngine = async ({ databaseUrl, dataDir }: Config): Promise<Engine> => {
  if (databaseUrl === undefined) return openSqlite({ file: databaseFile(dataDir) })
  // Loaded only where it is used: the driver is the largest thing a start would read.
  const { openPostgres } = await import('./store/postgres.ts')
  return openPostgres({ url: databaseUrl.reveal() })
}

const openStoreOf = async (config: Config): Promise<Store> => {
  const engine = await openEngine(config)
  try {
    return await openStore(engine, kinds)
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

const refuseStrangeKey = (error: unknown): never => {
  if (!(error instanceof SealBroken)) throw error
  throw new CannotOpen('The master key is not the one that these data were sealed with.', { cause: error })
}

const origin = () => ({ actor: 'system', at: systemClock() })

/** Opens the store with all rooms around it; nothing is served yet. */
export const openHouse = async ({ config, externalUrl, log }: HouseOptions): Promise<OpenHouse> => {
  const { dataDir, databaseUrl, masterKey, masterKeyFile } = config
  const ownKey = { text: masterKey?.reveal(), file: masterKeyFile, dataDir: databaseUrl ? undefined : dataDir }
  const masterKeys = () => openMasterKey(ownKey)
  // Before anything is written: without the key that belongs to the data, nothing may start.
  await masterKeys()
  const store = await openStoreOf(config)

  const findInstanceId = async (): Promise<string> => {
    const instance = await findInstance(store)
    if (instance === undefined) throw new CannotOpen('There is no instance in this database yet: run signet start.')
    return instance.id
  }
  let methods: readonly Method[] = []
  let knownId: string | undefined
  const instanceId = (): string => {
    if (knownId === undefined) throw new Error('the instance is not known yet')
    return knownId
  }

  return {
    ping: () => store.ping(),
    countJobs: () => store.jobs.count(),
    async bootstrap(): Promise<FirstStart | undefined> {
      const { isFirst } = await firstStart({ store, newId, clock: systemClock, dataDir, externalUrl })
      if (!isFirst) return undefined
      const setupUrl = (await readFile(join(dataDir, SETUP_LINK_FILE), 'utf8')).trim()
      return { setupUrl, tokenFile: join(dataDir, ADMIN_TOKEN_FILE) }
    },
    async openFront(onFinish) {
      knownId = await findInstanceId()
      await openVault({ store, masterKeys, instanceId: knownId, origin: origin() }).catch(refuseStrangeKey)
      methods = allMethods(store, instanceId, externalUrl)
      checkMethods(methods)
      const admit = openGate({
        identify: identifyByPersonalAccessToken(store),
        organization: (id) => organizationState(store, id),
        instanceId,
        clock: systemClock,
      })
      return openFront({ methods, admit, onFinish, now: systemClock, log: (fault) => log.error(fault, 'fault') })
    },
    openApi() {
      const services = [...new Set(methods.map(({ descriptor }) => descriptor.parent))]
      return JSON.stringify(openApiDocument(services, { externalUrl, version }))
    },
    startJobs() {
      const sweeps = [sweepMemberships(store), sweepUsers(store, stepsOfRemoval(store, instanceId))]
      store.jobs.run(organizationJobs(sweeps), {
        onFailure: (failure) => log.warn(failure, 'a job failed'),
        onTrouble: (error) => log.warn({ error }, 'jobs could not be looked for'),
      })
    },
    async rotateKey() {
      const needs = { store, instanceId: await findInstanceId(), origin: origin(), resealers: [] }
      const isGiven = ownKey.text !== undefined || ownKey.file !== undefined
      const rotated = isGiven
        ? await rotateDataKey({ ...needs, masterKeys })
        : await rotateMasterKeyFile({ ...needs, dataDir })
      return { resealed: rotated.resealed, removedKeys: rotated.removedKeyIds.length }
    },
    renewSetupLink: async () => (await reissueSetupLink(store, externalUrl, origin())).url,
    rebuild: () => store.rebuild(),
    close: () => store.close(),
  }
}
