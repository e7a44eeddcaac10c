/** The instance that an import writes to: the one of the settings, or a copy of it for a dry run. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/index.ts'
import { MASTER_KEY_FILE } from '../../crypto/master-key.ts'
import type { App } from '../../module/app.ts'
import { DatabaseRefused } from '../../store/transfer/index.ts'
import { type Restored, withApp } from '../maintain.ts'
import { openLoader, openSnapshot } from '../transfer.ts'

/** Copies the log into a folder of its own; whatever happens there is thrown away with it. */
async function copyTo(config: Config, dataDir: string): Promise<Config> {
  const { databaseUrl: _, ...rest } = config
  const copy: Config = { ...rest, databaseUrl: undefined, dataDir }
  const isKeyInFolder = config.masterKey === undefined && config.masterKeyFile === undefined
  if (isKeyInFolder) await copyFile(join(config.dataDir, MASTER_KEY_FILE), join(dataDir, MASTER_KEY_FILE))
  const snapshot = await openSnapshot(config)
  try {
    const loader = await openLoader(copy)
    try {
      for await (const lines of snapshot.events()) await loader.addEvents(lines)
      await loader.finish(snapshot.sequence)
    } finally {
      await loader.close()
    }
  } finally {
    await snapshot.close()
  }
  return copy
}

/** A copy of the instance; an empty folder where there is none yet and one is restored. */
async function copyOrNothing(config: Config, dataDir: string, restored: Restored | undefined): Promise<Config> {
  try {
    return await copyTo(config, dataDir)
  } catch (error) {
    const isEmpty = error instanceof DatabaseRefused || (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (restored === undefined || !isEmpty) throw error
    return { ...config, databaseUrl: undefined, dataDir }
  }
}

/** Runs an import on the instance, or on a copy of it. An empty database can become the instance of an export. */
export async function withTarget<Value>(
  config: Config,
  externalUrl: string,
  isDryRun: boolean,
  run: (app: App) => Promise<Value>,
  restored?: Restored,
): Promise<Value> {
  if (!isDryRun) {
    if (config.databaseUrl === undefined) {
      const { lockFolder, makeFolder } = await import('../folder-lock.ts')
      // A database that becomes an instance need not have a folder yet.
      if (restored !== undefined) await makeFolder(config.dataDir)
      await lockFolder(config.dataDir)
    }
    return withApp(config, externalUrl, run, restored)
  }
  const folder = await mkdtemp(join(tmpdir(), 'signet-dry-run-'))
  try {
    return await withApp(await copyOrNothing(config, folder, restored), externalUrl, run, restored)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
