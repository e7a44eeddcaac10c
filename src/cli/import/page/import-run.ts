/** One dry run, or one import, of what was uploaded: opens the files, writes, and tells how far it is. */
import { open, rename } from 'node:fs/promises'
import type { Product, Run } from '../../../kernel/import-report.ts'
import type { App } from '../../../module/app.ts'
import type { Draft } from '../../../module/carried.ts'
import type { Source } from '../draft.ts'
import { CannotImport } from '../import.ts'
import { carryAll } from '../move.ts'
import { consoleOf, MoveReport } from '../report.ts'
import type { ImportFolder, ImportState } from './import-folder.ts'

export interface RunOptions {
  readonly isDryRun: boolean
  /** Of a realm of Keycloak: what it becomes, and where it was. */
  readonly as?: 'organization' | 'instance'
  readonly oldUrl?: string
  /** Of a tenant of Auth0: the name of its organization. */
  readonly name?: string
  /** Of an export of Signet. Only in memory, and never in the state. */
  readonly passphrase?: string
}

/** Somebody stopped it. */
class Stopped extends Error {}

const GZIP = Buffer.from([0x1f, 0x8b])

/** The path of a file; one that is packed is called so, because readers look at the name. */
async function readable(path: string): Promise<string> {
  const handle = await open(path).catch(() => undefined)
  if (handle === undefined) return `${path}.gz`
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    if (!buffer.equals(GZIP)) return path
  } finally {
    await handle.close()
  }
  await rename(path, `${path}.gz`)
  return `${path}.gz`
}

/** The source that the files are. Throws `CannotImport` when one of them cannot be read. */
async function openSource(
  folder: ImportFolder,
  { product, files }: ImportState,
  options: RunOptions,
): Promise<Source<Draft>> {
  const { as: target = 'organization', oldUrl, name, passphrase = '' } = options
  const paths: Record<string, string> = {}
  for (const { part } of files) paths[part] = await readable(folder.pathOf(product as Product, part))
  if (product === 'keycloak') {
    const { openKeycloak } = await import('../keycloak/source.ts')
    return openKeycloak({ path: paths.realm ?? '', target, ...(oldUrl && { oldUrl }) })
  }
  if (product === 'auth0') {
    const { openAuth0 } = await import('../auth0/source.ts')
    const { users = '', ...others } = paths
    return openAuth0({ users, ...others, name: name || 'Auth0' })
  }
  const { openSignet } = await import('../signet/source.ts')
  const needed = async () => {
    if (passphrase !== '') return passphrase
    throw new CannotImport('The secrets in the export are sealed: enter the passphrase.')
  }
  return openSignet(paths.export ?? '', needed, { merges: true, mustBeSealed: passphrase !== '' })
}

/** A source that ends when the signal says so, between two objects. */
function stoppable(source: Source<Draft>, signal: AbortSignal): Source<Draft> {
  return {
    ...source,
    async *read() {
      for await (const item of source.read()) {
        if (signal.aborted) throw new Stopped()
        yield item
      }
    },
  }
}

export interface RunParts {
  readonly app: App
  readonly folder: ImportFolder
  /** Runs something on a copy of the instance, which is thrown away. */
  dryRun<Value>(run: (app: App) => Promise<Value>): Promise<Value>
}

export class ImportRun {
  readonly #parts: RunParts
  readonly #options: RunOptions
  readonly #stopping = new AbortController()
  readonly #startedAt: number
  #report: MoveReport | undefined
  #total: number | undefined

  constructor(parts: RunParts, options: RunOptions) {
    this.#parts = parts
    this.#options = options
    this.#startedAt = parts.app.clock()
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** How far it is. */
  get progress(): Run {
    const total = this.#total
    return {
      isDryRun: this.#options.isDryRun,
      status: 'running',
      startedAt: this.#startedAt,
      done: this.#report?.done ?? 0,
      seconds: this.#report?.seconds ?? 0,
      ...(total !== undefined && { total }),
    }
  }

  /** Runs to the end, and answers what became of it. Never rejects. */
  async finish(state: ImportState): Promise<Run> {
    const { app } = this.#parts
    const ended = (rest: Partial<Run>): Run => ({ ...this.progress, endedAt: app.clock(), ...rest })
    try {
      return ended({ status: 'done', summary: await this.#carry(state) })
    } catch (error) {
      if (error instanceof Stopped) return ended({ status: 'stopped' })
      if (!(error instanceof CannotImport)) {
        app.log.error({ error }, 'an import of the console failed')
        return ended({ status: 'failed', message: 'An unexpected error: it is in the log of the server.' })
      }
      return ended({ status: 'failed', message: this.#withoutFolders(error.message) })
    }
  }

  async #carry(state: ImportState) {
    const { app, folder, dryRun } = this.#parts
    const { isDryRun } = this.#options
    const source = stoppable(await openSource(folder, state, this.#options), this.#stopping.signal)
    this.#total = await source.count?.()
    const report = new MoveReport(folder.report, consoleOf(app))
    this.#report = report
    try {
      const carry = async (target: App) => carryAll({ app: target, source, report })
      await (isDryRun ? dryRun(carry) : carry(app))
      return report.finish({ source: source.name, isDryRun })
    } catch (error) {
      report.close()
      throw error
    } finally {
      await source.close?.()
    }
  }

  /** Whoever uploads a file need not know where it lies. */
  #withoutFolders(message: string): string {
    const base = this.#parts.folder.report.replace(/[^/\\]+$/, '')
    return message.replaceAll(base, '')
  }
}
