/** Writes drafts of every kind: each in one commit, by the rules of the modules. */
import { isTemporary, Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Draft } from '../../../module/carried.ts'
import type { Dates } from '../../../store/index.ts'
import { carrierOf } from '../../carriers.ts'
import type { AnyDraft, CarriedDraft } from '../draft.ts'
import { writeMetadata, writePicture } from './belonging.ts'
import { putObject } from './carry.ts'
import { CHANGERS } from './change.ts'
import { writeSettings, writeText } from './settings.ts'
import { ChangedHere, type Streams, WatchedWork } from './watched-work.ts'
import {
  arrivalOf,
  type ChangeDraft,
  type LeftBehind,
  type Mode,
  reasonOf,
  type WriteDraft,
  type WriteEnd,
  type Writing,
} from './writing.ts'

type Writers = {
  readonly [Kind in Exclude<AnyDraft['kind'], CarriedDraft['kind']>]: WriteDraft<
    Extract<AnyDraft, { readonly kind: Kind }>
  >
}

const WRITERS: Writers = {
  settings: writeSettings,
  text: writeText,
  metadata: writeMetadata,
  picture: writePicture,
}

/** What became of a draft: an end, and the parts that stayed behind; or why nothing of it was written. */
export type Written = (WriteEnd | { readonly end: 'refused'; readonly reason: string }) & {
  readonly left: LeftBehind
  /** What of it was changed here and stays: the kinds and IDs of its streams. */
  readonly kept: readonly string[]
}

/** How often a draft is written again, each time without something that is in the way. */
const MOST_ATTEMPTS = 10

interface Attempt {
  readonly by: WriteDraft<Draft>
  /** Parts that are in the way here. */
  readonly without: ReadonlySet<string>
  readonly kept: Streams
}

async function writeOnce(writing: Writing<Draft>, { by }: Attempt, mode: Mode, work: WatchedWork): Promise<WriteEnd> {
  const { app, draft } = writing
  const carrier = carrierOf(draft.kind)
  if (carrier !== undefined) return putObject(writing, carrier, mode, work)
  const written = await by(writing)
  if (mode === 'follow' && written.end === 'there') {
    await (CHANGERS[draft.kind as keyof typeof CHANGERS] as unknown as ChangeDraft<Draft>)(writing)
    await work.check(app)
    return work.isChange ? { ...written, end: 'changed' } : written
  }
  if (written.end === 'carried' && !work.isChange) return { ...written, end: 'there' }
  // Of these, the writer cannot tell whether they are there.
  const isOverwriting = draft.kind === 'settings' || draft.kind === 'text' || draft.kind === 'picture'
  if (mode === 'follow' && isOverwriting) await work.check(app)
  return written
}

async function write(app: App, source: string, draft: Draft, attempt: Attempt, mode: Mode): Promise<Written> {
  let left: LeftBehind = []
  const parts = new Map<string, Dates>()
  const origin = { actor: 'server', at: app.clock(), arrival: arrivalOf(source, draft, parts) } as const
  const dates = (kind: { readonly name: string }, id: string, of: Dates) => void parts.set(`${kind.name} ${id}`, of)
  const { value } = await app.store.write(origin, (given) => {
    left = []
    const work = new WatchedWork(given, attempt.kept)
    return writeOnce({ app, work, draft, left, without: attempt.without, dates }, attempt, mode, work)
  })
  return { ...value, left, kept: [...attempt.kept] }
}

/** The next attempt after an error; undefined when there is none. */
function attemptAfter(draft: Draft, error: unknown, { by, without, kept }: Attempt): Attempt | undefined {
  if (error instanceof ChangedHere) return { by, without, kept: new Set([...kept, ...error.streams]) }
  if (!(error instanceof Refused) || isTemporary(error)) throw error
  const part = carrierOf(draft.kind)?.carried.spare?.((error as Refused).code)
  return part === undefined || without.has(part) ? undefined : { by, without: new Set([...without, part]), kept }
}

/** Writes a draft. What a rule refuses is an answer; that the database is away, or too busy, is thrown. */
export async function writeDraft(app: App, source: string, draft: Draft, mode: Mode = 'carry'): Promise<Written> {
  let attempt: Attempt = {
    by: WRITERS[draft.kind as keyof Writers] as unknown as WriteDraft<Draft>,
    without: new Set(),
    kept: new Set(),
  }
  for (let attempts = 1; ; attempts++) {
    try {
      return await write(app, source, draft, attempt, mode)
    } catch (error) {
      const next = attemptAfter(draft, error, attempt)
      if (next === undefined || attempts === MOST_ATTEMPTS) {
        if (!(error instanceof Refused)) throw error
        return { end: 'refused', reason: reasonOf(error), left: [], kept: [] }
      }
      attempt = next
    }
  }
}
