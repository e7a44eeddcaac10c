/** Commands that work on the database beside or instead of a running server. */
import type { Config } from '../config/index.ts'
import { reissueSetupLink, rotateDataKey, rotateMasterKeyFile } from '../features/instances/index.ts'
import { systemClock } from '../kernel/instant.ts'
import { kinds, modules } from '../modules.ts'
import type { Store } from '../store/index.ts'
import { loadApp } from './load-app.ts'

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
export function rotateKey(config: Config): Promise<{ readonly resealed: number; readonly removedKeys: number }> {
  return withDatabase(config, async (store) => {
    const { findInstanceId, masterKeysOf } = await loadApp()
    const sealedJobs = modules.flatMap((module) => module.sealedJobs ?? [])
    const parts = { store, instanceId: await findInstanceId(store), clock: systemClock, kinds, sealedJobs }
    const isGiven = config.masterKey !== undefined || config.masterKeyFile !== undefined
    const rotated = isGiven
      ? await rotateDataKey({ ...parts, masterKeys: masterKeysOf(config) })
      : await rotateMasterKeyFile({ ...parts, dataDir: config.dataDir })
    return { resealed: rotated.resealed, removedKeys: rotated.removedKeyIds.length }
  })
}

/** Folds all documents again from the log. */
export function rebuild(config: Config): Promise<void> {
  return withDatabase(config, (store) => store.rebuild())
}

/** A new one-time link for the first administrator; the one before is no longer valid. */
export function renewSetupLink(config: Config, externalUrl: string): Promise<string> {
  return withDatabase(config, async (store) => {
    const { systemOrigin } = await loadApp()
    return (await reissueSetupLink(store, externalUrl, systemOrigin())).url
  })
}
