/** An export of Signet as a source. Merged into another instance, its objects are treated like those of other products. */

import type { Draft } from '../../../module/carried.ts'
import { openArchive } from '../../archive/read-archive.ts'
import type { ApplicationDraft, Remark, Source } from '../draft.ts'
import { CannotImport } from '../import.ts'
import { remark } from '../read.ts'

type Read = Draft | { readonly remark: Remark }

/** What an instance of its own has already: its name, its API and its console. */
function isOfTheInstance(draft: Draft, api: { readonly projectId: string } | undefined): boolean {
  if (api === undefined) return false
  if (draft.kind === 'project') return draft.id === api.projectId
  return draft.kind === 'application' && (draft as ApplicationDraft).projectId === api.projectId
}

export interface SignetOptions {
  /** Into an instance that is there, instead of becoming the one of the export. */
  readonly merges: boolean
  /** Whether a passphrase was given: it also proves who wrote the file. */
  readonly mustBeSealed: boolean
}

/** Opens an export, of which every line has been checked. */
export async function openSignet(
  file: string,
  passphrase: () => Promise<string>,
  { merges, mustBeSealed }: SignetOptions,
): Promise<Source<Draft>> {
  const { header, end, read } = await openArchive(file, passphrase)
  const { instance, source } = header
  // Anybody can write a file without secrets, and its checks with it.
  if (mustBeSealed && header.passphrase === null) {
    throw new CannotImport(`${file} is not sealed with a passphrase. If that is right, leave the passphrase out.`)
  }
  async function* merged(): AsyncGenerator<Read> {
    for await (const item of read()) {
      if ('remark' in item || !isOfTheInstance(item, instance.api)) yield item
      else yield remark(item.kind, item.id, 'This server has its own API project and console.')
    }
  }
  async function* restored(): AsyncGenerator<Read> {
    for await (const item of read()) yield 'remark' in item ? item : { ...item, restores: true }
  }
  return {
    name: 'signet',
    issuer: source.url,
    ...(!merges && { instance }),
    count: async () => end.lines,
    read: merges ? merged : restored,
  }
}
