/** `signet export`: everything of an instance, object by object, in a file that `signet import signet` reads. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { externalUrl } from '../../config/external-url.ts'
import type { Config } from '../../config/index.ts'
import { version } from '../../config/version.ts'
import { instances } from '../../features/instances/index.ts'
import { instant } from '../../kernel/instant.ts'
import type { Draft } from '../../module/carried.ts'
import { currentDocuments, DatabaseRefused, type Snapshot } from '../../store/transfer/index.ts'
import { type ArchiveHeader, FORMAT, VERSION } from '../archive/format.ts'
import { type ArchiveKeys, deriveKeys, newDerivation } from '../archive/passphrase.ts'
import { type Written, writeArchive } from '../archive/write-archive.ts'
import { loadApp } from '../load-app.ts'
import { groupDigits } from '../progress.ts'
import { openSnapshot, type Reporting, withProgress } from '../transfer.ts'
import { describeAll } from './describe-all.ts'
import { openReading } from './reading.ts'

export interface ExportInstanceOptions extends Reporting {
  /** Undefined: secrets are left out. */
  readonly passphrase: string | undefined
  readonly replaces: boolean
}

export interface ExportResult extends Written {
  readonly file: string
  readonly isSealed: boolean
}

async function findInstance(snapshot: Snapshot): Promise<ArchiveHeader['instance']> {
  for await (const { id, state, createdAt, changedAt } of currentDocuments(snapshot, instances)) {
    const { status: _, ...instance } = JSON.parse(state) as { status: string } & ArchiveHeader['instance']
    return { ...instance, id, createdAt: instant(createdAt), changedAt: instant(changedAt) }
  }
  throw new DatabaseRefused('The database has no instance yet: there is nothing to export.')
}

/** Writes everything at one moment, while the server runs. Memory holds one object. */
export async function exportInstance(
  config: Config,
  file: string,
  { passphrase, replaces, ...reporting }: ExportInstanceOptions,
): Promise<ExportResult> {
  if (!replaces && existsSync(file)) throw new DatabaseRefused(`${file} exists. Choose another name, or add --force.`)
  const { masterKeysOf } = await loadApp()
  const snapshot = await openSnapshot(config)
  const written: Written = { lines: 0, kinds: {}, withoutSecrets: 0 }
  try {
    const instance = await findInstance(snapshot)
    const reading = await openReading(snapshot, instance.id, await masterKeysOf(config)())
    const derivation = passphrase === undefined ? null : newDerivation()
    const keys: ArchiveKeys | undefined =
      passphrase === undefined || derivation === null ? undefined : await deriveKeys(passphrase, derivation)
    const { engine, sequence } = snapshot
    const header: ArchiveHeader = {
      format: FORMAT,
      version: VERSION,
      createdAt: new Date().toISOString(),
      source: { product: 'signet', version, url: externalUrl(config, config.listen.port), engine, sequence },
      instance,
      passphrase: derivation,
    }
    const drafts: AsyncIterable<Draft> = describeAll(reading)
    await withProgress(
      reporting,
      (seconds) => `${groupDigits(written.lines)} objects, ${groupDigits(written.lines / seconds)}/s`,
      () => writeArchive(file, header, drafts, { keys, written }),
    )
    return { file: resolve(file), isSealed: keys !== undefined, ...written }
  } finally {
    await snapshot.close()
  }
}
