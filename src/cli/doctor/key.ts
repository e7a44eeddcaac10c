/** The doctor's look at the master key: whether a start would have one, and whether it is that of the data. */
import { join, resolve } from 'node:path'
import { type Config, databaseFile } from '../../config/index.ts'
import type { KeyRing } from '../../crypto/key-ring.ts'
import { findMasterKeyFile, MASTER_KEY_FILE, MasterKeyRefused, openMasterKey } from '../../crypto/master-key.ts'
import { opensVault } from '../../features/instances/index.ts'
import { SqliteReader } from '../../store/sqlite/read.ts'
import { type Check, type Finding, tracelessly } from './checks.ts'

const PATIENCE_MS = 5_000

function findKeys({ masterKey, masterKeyFile, dataDir }: Config): Promise<KeyRing | undefined> {
  if (masterKey || masterKeyFile) return openMasterKey({ text: masterKey?.reveal(), file: masterKeyFile })
  return findMasterKeyFile(resolve(dataDir), databaseFile(resolve(dataDir)))
}

async function opensData(keys: KeyRing, { databaseUrl, dataDir }: Config): Promise<boolean> {
  if (databaseUrl) {
    const { openPostgres } = await import('../../store/postgres/index.ts')
    const engine = await openPostgres({
      url: databaseUrl.reveal(),
      patienceMs: PATIENCE_MS,
      readsAnyVersion: true,
    })
    return opensVault(keys, async (kind, id) => engine.get(kind, id)).finally(() => engine.close().catch(() => {}))
  }
  const reader = new SqliteReader(await tracelessly(databaseFile(resolve(dataDir))))
  return opensVault(keys, async (kind, id) => reader.get(kind, id)).finally(() => reader.close())
}

function refusedKey(error: unknown): Finding {
  if (!(error instanceof MasterKeyRefused)) throw error
  return { verdict: 'wrong', text: error.setting === undefined ? error.reason : error.message }
}

export const checkMasterKey: Check = async (config) => {
  const path = join(resolve(config.dataDir), MASTER_KEY_FILE)
  const found = await findKeys(config).catch(refusedKey)
  if (found === undefined) return { verdict: 'note', text: `${path} will be created at the first start.` }
  if ('verdict' in found) return found
  // Data that are not there yet, or cannot be read, are the matter of another check.
  const isTheirs = await opensData(found, config).catch(() => true)
  if (!isTheirs) return { verdict: 'wrong', text: 'the master key does not match this database.' }
  const where = config.masterKey ? 'from SIGNET_MASTER_KEY' : `in ${config.masterKeyFile ?? path}`
  return { verdict: 'ok', text: `key ${found.active.id} ${where}` }
}
