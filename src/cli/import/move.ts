/** Moves everything that a source has into this instance, and says what became of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SYSTEM_ACTOR } from '../../kernel/actor.ts'
import { isTemporary } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { describeProgress, groupDigits, type Progress, showProgress } from '../progress.ts'
import type { AnyDraft, Source } from './draft.ts'
import { MoveReport, type MoveSummary } from './report.ts'
import { writeDraft } from './write/index.ts'
import { arrivalOf, type WriteEnd } from './write/writing.ts'

export interface MoveOptions {
  /** The app is on a copy, which is thrown away. */
  readonly isDryRun?: boolean
  /** Where to write the report as JSON. */
  readonly report?: string | undefined
  /** Shows no progress. */
  readonly isQuiet?: boolean
}

/** Enough that a commit contains many objects; few enough that their drafts need little memory. */
const AT_ONCE = 256
const MOST_TRIES = 20
const LONGEST_PAUSE_MS = 2_000

/** Waits out a database that is away or busy for a moment. */
async function patiently<Value>(act: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (!isTemporary(error) || tries === MOST_TRIES) throw error
      await sleep(Math.min(LONGEST_PAUSE_MS, 25 * 2 ** tries))
    }
  }
}

/** Work of which many run at once. The first error is thrown by the next call. */
function openRunners(atOnce: number) {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  const check = () => {
    if (failure !== undefined) throw failure.error
  }
  return {
    async start(act: () => Promise<void>): Promise<void> {
      while (running.size >= atOnce) await Promise.race(running)
      check()
      const one: Promise<void> = act()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(one))
      running.add(one)
    },
    async all(): Promise<void> {
      await Promise.all(running)
      check()
    },
  }
}

type Later = { readonly draft: AnyDraft } & Required<Pick<WriteEnd, 'later'>>

async function finishLater(app: App, source: string, { draft, later }: Later, report: MoveReport): Promise<void> {
  const origin = { actor: SYSTEM_ACTOR, at: app.clock(), arrival: arrivalOf(source, draft, new Map()) }
  try {
    await patiently(() => app.store.write(origin, (work) => later(app, work)))
  } catch (error) {
    const { kind, id } = draft
    if (!(error instanceof Error)) throw error
    report.add({ type: 'not_carried', kind, id, reason: `It stays active: ${error.message}` })
  }
}

function show(source: Source, report: MoveReport, isQuiet: boolean): Progress {
  if (isQuiet) return { note() {}, stop() {} }
  let total: number | undefined
  void source.count?.().then(
    (count) => {
      total = count
    },
    () => {},
  )
  return showProgress(process.stderr, () => {
    const refused = report.refused === 0 ? '' : `, ${groupDigits(report.refused)} refused`
    if (total !== undefined) return `${describeProgress(report.done, total, 'objects', report.seconds)}${refused}`
    return `${groupDigits(report.done)} objects, ${groupDigits(report.done / report.seconds)}/s${refused}`
  })
}

/** Writes all drafts of a source, one kind after the other. What is there already stays: it can be run again at any time. */
export async function runMove(app: App, source: Source, options: MoveOptions = {}): Promise<MoveSummary> {
  const { isDryRun = false, isQuiet = false } = options
  const report = new MoveReport(options.report)
  const progress = show(source, report, isQuiet)
  const later: Later[] = []
  const take = async (draft: AnyDraft) => {
    const { kind, id } = draft
    const written = await patiently(() => writeDraft(app, source.name, draft))
    for (const reason of written.left) report.add({ type: 'not_carried', kind, id, reason })
    if (written.end === 'refused') report.add({ type: 'refused', kind, id, reason: written.reason })
    else report.count(kind, written.end)
    if ('later' in written && written.later !== undefined) {
      const { createdAt, changedAt } = draft
      // Without the draft itself, which may be large.
      later.push({ draft: { kind, id, createdAt, changedAt } as AnyDraft, later: written.later })
    }
  }
  try {
    const runners = openRunners(AT_ONCE)
    let current: string | undefined
    for await (const item of source.read()) {
      if ('remark' in item) {
        report.add({ type: 'not_carried', ...item.remark })
        continue
      }
      // Whatever a draft names is there before.
      if (item.kind !== current) await runners.all()
      current = item.kind
      await runners.start(() => take(item))
    }
    await runners.all()
    for (const one of later) await finishLater(app, source.name, one, report)
    return report.finish({ source: source.name, isDryRun })
  } catch (error) {
    report.close()
    throw error
  } finally {
    progress.stop()
  }
}
