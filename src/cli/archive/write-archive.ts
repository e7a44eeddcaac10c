/** Writes an export: beside its name, and under it when it is complete and on the disk. */
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Draft } from '../../module/carried.ts'
import { type ArchiveHeader, Chain, sealPlace } from './format.ts'
import { type ArchiveKeys, plainCheckOf } from './passphrase.ts'
import { splitSecrets } from './secret-members.ts'

/** What was written so far. */
export interface Written {
  lines: number
  readonly kinds: Record<string, number>
  /** Secrets that were left out. */
  withoutSecrets: number
}

function objectOf(draft: Draft, keys: ArchiveKeys | undefined, written: Written): object {
  const { open: object, secrets } = splitSecrets(draft)
  const members = Object.keys(secrets)
  if (members.length === 0) return object
  if (keys !== undefined)
    return { ...object, sealed: keys.seal(sealPlace(draft.kind, draft.id), JSON.stringify(secrets)) }
  written.withoutSecrets += members.length
  return { ...object, withoutSecrets: members }
}

async function* linesOf(
  header: ArchiveHeader,
  drafts: AsyncIterable<Draft>,
  keys: ArchiveKeys | undefined,
  written: Written,
): AsyncGenerator<string> {
  const chain = new Chain(keys?.checkOf ?? plainCheckOf)
  yield chain.lineOf(header)
  for await (const draft of drafts) {
    yield chain.lineOf(objectOf(draft, keys, written))
    written.lines++
    written.kinds[draft.kind] = (written.kinds[draft.kind] ?? 0) + 1
  }
  yield chain.lineOf({ end: true, lines: written.lines, kinds: written.kinds })
}

export async function writeArchive(
  file: string,
  header: ArchiveHeader,
  drafts: AsyncIterable<Draft>,
  { keys, written }: { readonly keys: ArchiveKeys | undefined; readonly written: Written },
): Promise<void> {
  const part = `${file}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    const target = createWriteStream('', { fd: handle.fd, autoClose: false })
    await pipeline(Readable.from(linesOf(header, drafts, keys, written)), target)
    await handle.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(part, file)
}
