/** The house: rooms behind a gate and a front, on a store, with what they need of the world. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkMethods, openAuthorization } from './access/authorization.ts'
import type { Method } from './access/method.ts'
import { openGuardedFetch } from './access/outbound-fetch.ts'
import { CannotOpen, type FirstStart, type HouseOptions, type OpenHouse } from './cli/house.ts'
import { version } from './cli/version.ts'
import { allowedOrigins, type Config, databaseFile } from './config/index.ts'
import { openMasterKey } from './crypto/master-key.ts'
import { openPasswords } from './crypto/passwords/index.ts'
import { SealBroken } from './crypto/seal.ts'
import { ADMIN_TOKEN_FILE, awaitsAdministrator, firstStart, SETUP_LINK_FILE } from './features/first-start/index.ts'
import {
  findInstance,
  openVault,
  reissueSetupLink,
  rotateDataKey,
  rotateMasterKeyFile,
} from './features/instances/index.ts'
import { openTransport } from './features/mail/index.ts'
import { openTokenSearch, organizationState } from './features/organizations/index.ts'
import { relatedOrigins } from './features/passkeys/index.ts'
import { leavingSessions } from './features/sessions/index.ts'
import { leavingIntents } from './features/sign-in-intents/index.ts'
import { openWebhook } from './features/sms/index.ts'
import { serviceNames } from './http/aliases.ts'
import { type Fault, openFront } from './http/front.ts'
import { addHouseMetrics } from './http/house-metrics.ts'
import { importRoute } from './http/import-route.ts'
import { openApiDocument } from './http/openapi.ts'
import { readReadiness } from './http/readiness.ts'
import { wellKnownPages } from './http/well-known.ts'
import { newId } from './kernel/id.ts'
import { systemClock } from './kernel/instant.ts'
import { kinds, openRooms, type Rooms, resealersOf } from './rooms.ts'
import { type Engine, openSqlite, openStore, type Store, startRetiring } from './store/index.ts'
import { hostedPages, lostPage } from './web/index.ts'
import { openPagePorts } from './web/open-ports.ts'

async function openEngine({ databaseUrl, dataDir }: Config): Promise<Engine> {
  if (databaseUrl === undefined) return openSqlite({ file: databaseFile(dataDir) })
  // Loaded only where it is used: the driver is the largest thing a start would read.
  const { openPostgres } = await import('./store/postgres.ts')
  return openPostgres({ url: databaseUrl.reveal() })
}

async function openStoreOf(config: Config): Promise<Store> {
  const engine = await openEngine(config)
  try {
    return await openStore(engine, kinds)
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

function refuseStrangeKey(error: unknown): never {
  if (!(error instanceof SealBroken)) throw error
  throw new CannotOpen('The master key does not match this database.', { cause: error })
}

function origin() {
  return { actor: 'system', at: systemClock() }
}

/** Who waits for something is answered a second before the port would cut the exchange, or at half its time. */
function longestWait(exchangeMs: number): number {
  return Math.max(exchangeMs - 1000, exchangeMs / 2)
}

/** Where browsers may be sent: anywhere safe, until somebody says what our own places are. */
function redirectsOf({ externalUrl: given, allowedRedirects }: Config, externalUrl: string) {
  return given === undefined && allowedRedirects.length === 0 ? 'any' : [externalUrl, ...allowedRedirects]
}

/** Opens the store with all rooms around it; nothing is served yet. */
export async function openHouse({ config, externalUrl, log }: HouseOptions): Promise<OpenHouse> {
  const { dataDir, databaseUrl, masterKey, masterKeyFile, allowsPrivateNetwork: allowsPrivate } = config
  const ownFolder = databaseUrl ? {} : { dataDir, dataFile: databaseFile(dataDir) }
  const ownKey = { text: masterKey?.reveal(), file: masterKeyFile, ...ownFolder }
  const masterKeys = () => openMasterKey(ownKey)
  // Before anything is written: without the key that belongs to the data, nothing may start.
  await masterKeys()
  const store = await openStoreOf(config)

  const findInstanceId = async (): Promise<string> => {
    const instance = await findInstance(store)
    if (instance === undefined) throw new CannotOpen('The database has no instance yet. Run signet start first.')
    return instance.id
  }
  const fetchOutside = openGuardedFetch({ allowsPrivate })
  const library = openPasswords()
  let rooms: Rooms | undefined
  let retiring: ReturnType<typeof startRetiring> | undefined
  let methods: readonly Method[] = []
  let instanceId: string | undefined
  return {
    ping: () => store.ping(),
    addMetrics: (registry) => addHouseMetrics(registry, { store, library, rooms: () => rooms }),
    async bootstrap(): Promise<FirstStart | undefined> {
      const { isFirst } = await firstStart({ store, newId, clock: systemClock, dataDir, externalUrl })
      if (!isFirst) {
        // The link itself is shown once.
        if (await awaitsAdministrator(store)) {
          log.info('the first administrator is not set up yet; run signet setup-link for a new link')
        }
        return undefined
      }
      const setupUrl = (await readFile(join(dataDir, SETUP_LINK_FILE), 'utf8')).trim()
      return { setupUrl, tokenFile: join(dataDir, ADMIN_TOKEN_FILE) }
    },
    async openFront(onFinish, isDraining) {
      instanceId = await findInstanceId()
      const vault = await openVault({ store, masterKeys, instanceId, origin: origin() }).catch(refuseStrangeKey)
      rooms = openRooms({
        store,
        vault,
        newId,
        clock: systemClock,
        instanceId,
        version,
        externalUrl,
        origins: allowedOrigins(config, externalUrl),
        library,
        send: openTransport(),
        post: openWebhook({ allowsPrivate, fetchOutside }),
        allowsPrivate,
        fetchOutside,
        allowedRedirects: redirectsOf(config, externalUrl),
        findToken: openTokenSearch({ fetchOutside }),
        longestWaitMilliseconds: longestWait(config.limits.exchangeMs),
        isReady: async () => (await readReadiness({ ping: () => store.ping(), isDraining })) === 'ready',
        isServed: (service) => services.has(service),
      })
      methods = rooms.methods
      const services = new Set(
        methods.flatMap(({ descriptor }) => serviceNames(descriptor.parent.typeName).map(([name]) => name)),
      )
      checkMethods(methods)
      const admit = openAuthorization({
        identify: rooms.identify,
        organization: (id) => organizationState(store, id),
        instanceId,
        clock: systemClock,
      })
      const logFault = (fault: Fault) => log.error(fault, 'request failed')
      const streams = [importRoute({ store, newId, methods, admit, log: logFault })]
      return openFront({
        methods,
        admit,
        streams,
        lost: lostPage(externalUrl),
        onFinish,
        now: systemClock,
        log: logFault,
      })
    },
    openPages(onFinish) {
      if (rooms === undefined) throw new Error('the rooms are not open yet')
      const { mail, passkeys } = rooms
      const hosted = hostedPages({
        ports: openPagePorts({ ...rooms, inbox: mail.inbox, externalUrl, clock: systemClock }),
        externalUrl,
        now: systemClock,
        newId,
        onFinish,
        fault: (error, requestId) => log.error({ error, requestId }, 'page failed'),
      })
      return new Map([...hosted, ...wellKnownPages(relatedOrigins(passkeys.relyingParty))])
    },
    openApi() {
      const services = [...new Set(methods.map(({ descriptor }) => descriptor.parent))]
      return JSON.stringify(openApiDocument(services, { externalUrl, version }))
    },
    startJobs() {
      for (const { handlers, options } of rooms?.jobs ?? []) {
        store.jobs.run(handlers, {
          ...options,
          onFailure: (failure) => log.warn(failure, 'job failed'),
          onTrouble: (error) => log.warn({ error }, 'could not fetch jobs'),
        })
      }
      if (instanceId === undefined) throw new Error('the instance is not known yet')
      retiring ??= startRetiring(
        { store, instanceId },
        {
          leaving: [leavingSessions(config.sessionRetentionMs), leavingIntents],
          clock: systemClock,
          onTrouble: (error, kind) => log.warn({ error, kind }, 'could not delete expired entries'),
        },
      )
    },
    async rotateKey() {
      const resealers = resealersOf(store, systemClock)
      const needs = { store, instanceId: await findInstanceId(), origin: origin(), resealers }
      const isGiven = ownKey.text !== undefined || ownKey.file !== undefined
      const rotated = isGiven
        ? await rotateDataKey({ ...needs, masterKeys })
        : await rotateMasterKeyFile({ ...needs, dataDir })
      return { resealed: rotated.resealed, removedKeys: rotated.removedKeyIds.length }
    },
    renewSetupLink: async () => (await reissueSetupLink(store, externalUrl, origin())).url,
    rebuild: () => store.rebuild(),
    async close() {
      await retiring?.stop()
      await library.close()
      await store.close()
    },
  }
}
