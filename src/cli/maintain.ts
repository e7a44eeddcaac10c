/** Commands that work on the database beside or instead of a running server. */

import type { Config } from '../config/index.ts'
import {
  type RestoredInstance,
  type RotationProgress,
  reissueSetupLink,
  removeDeadSetupLink,
  restoreInstance,
  rotateDataKey,
  rotateMasterKeyFile,
} from '../features/instances/index.ts'
import { type Recovery, recoverAdministrator } from '../features/onboarding/index.ts'
import { requestRotation } from '../features/web-keys/index.ts'
import { systemClock } from '../kernel/instant.ts'
import type { App } from '../module/app.ts'
import { kinds, modules } from '../modules.ts'
import type { Store } from '../store/index.ts'
import { loadApp } from './load-app.ts'
import { openLog } from './log.ts'
import { describeProgress } from './progress.ts'
import { openSnapshot, type Reporting, withProgress } from './transfer.ts'

async function withDatabase<Value>(config: Config, work: (store: Store) => Promise<Value>): Promise<Value> {
  const { openDatabase } = await loadApp()
  const store = await openDatabase(config)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Seals all secrets again with a new key; the master key is replaced too when it lies in the data folder. */
export function rotateKey(
  config: Config,
  reporting: Reporting,
): Promise<{ readonly resealed: number; readonly removedKeys: number }> {
  return withDatabase(config, async (store) => {
    const progress: RotationProgress = { done: 0, total: 0 }
    const { findInstanceId, masterKeysOf } = await loadApp()
    const sealedJobs = modules.flatMap((module) => module.sealedJobs ?? [])
    const parts = { store, instanceId: await findInstanceId(store), clock: systemClock, kinds, sealedJobs, progress }
    const isGiven = config.masterKey !== undefined || config.masterKeyFile !== undefined
    const rotated = await withProgress(
      reporting,
      (seconds) => describeProgress(progress.done, progress.total, 'documents and jobs', seconds),
      () =>
        isGiven
          ? rotateDataKey({ ...parts, masterKeys: masterKeysOf(config) })
          : rotateMasterKeyFile({ ...parts, dataDir: config.dataDir }),
    )
    return { resealed: rotated.resealed, removedKeys: rotated.removedKeyIds.length }
  })
}

async function countEvents(config: Config): Promise<number> {
  const snapshot = await openSnapshot(config)
  try {
    return snapshot.eventCount
  } finally {
    await snapshot.close()
  }
}

/** Folds all documents again from the log. Returns how many events were folded. */
export function rebuild(config: Config, reporting: Reporting): Promise<{ readonly events: number }> {
  return withDatabase(config, async (store) => {
    const total = await countEvents(config)
    let events = 0
    const onFolded = (more: number) => {
      events += more
    }
    await withProgress(
      reporting,
      (seconds) => describeProgress(events, total, 'events', seconds),
      () => store.rebuild(kinds, onFolded),
    )
    return { events }
  })
}

/** A new one-time link for the first administrator; the one before is no longer valid. */
export function renewSetupLink(config: Config, externalUrl: string): Promise<string> {
  return withDatabase(config, async (store) => {
    const { systemOrigin } = await loadApp()
    const { url } = await reissueSetupLink(store, externalUrl, systemOrigin())
    await removeDeadSetupLink({ store }, config.dataDir, systemClock())
    return url
  })
}

/** The instance of an export, which an empty database becomes. */
export interface Restored {
  /** Where it comes from, for the log. */
  readonly source: string
  readonly instance: RestoredInstance
}

/** Why the database is left as it is; a sentence for the operator. */
class NotEmpty extends Error {
  override readonly name = 'NotEmpty'
}

async function become(store: Store, { source, instance }: Restored): Promise<void> {
  const end = await restoreInstance(store, source, instance, systemClock())
  if (end === 'restored') return
  throw new NotEmpty(
    end === 'other'
      ? 'The database has an instance of its own. Import into an empty database, before the first start of the server, or add --merge.'
      : 'The database has this instance, and it is in use: an import would set its settings back. Import into an empty database.',
  )
}

/** Opens the app on the database, without a port. An empty database can become the instance of an export. */
export async function withApp<Value>(
  config: Config,
  externalUrl: string,
  work: (app: App) => Promise<Value>,
  restored?: Restored,
): Promise<Value> {
  return withDatabase(config, async (store) => {
    const { openApp, openIdsOf, prepareModules } = await loadApp()
    if (restored !== undefined) await become(store, restored)
    const { log } = openLog('silent', {})
    const ids = await openIdsOf(store, log)
    try {
      const app = await openApp({ config, externalUrl, log, store, ids, isReady: async () => true })
      try {
        // What the modules need may be in the export.
        if (restored === undefined) await prepareModules(app)
        const value = await work(app)
        if (restored !== undefined) await prepareModules(app)
        return value
      } finally {
        await app.hashing.close()
      }
    } finally {
      await ids.close()
    }
  })
}

/** A one-time link with which an administrator gets in again. The master key must be the one of this database. */
export function recover(
  config: Config,
  externalUrl: string,
  recovery: Recovery,
): Promise<{ readonly url: string; readonly userName: string }> {
  return withApp(config, externalUrl, async (app) => {
    const link = await recoverAdministrator(app, recovery)
    await removeDeadSetupLink(app, config.dataDir, app.clock())
    return link
  })
}

/** Replaces the key that signs tokens: at once if the next one is published long enough, otherwise by a running server. */
export function rotateWebKeys(config: Config, externalUrl: string): Promise<{ readonly isActivated: boolean }> {
  return withApp(config, externalUrl, requestRotation)
}
