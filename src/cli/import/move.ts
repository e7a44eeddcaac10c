/** Moves everything that a source has into this instance, and says what became of it. */
import { type ImportMark, readImportMark, setImportMark } from '../../features/imports/index.ts'
import type { App } from '../../module/app.ts'
import type { Draft } from '../../module/carried.ts'
import { describeProgress, groupDigits, type Progress, showProgress } from '../progress.ts'
import type { ChangingSource, Source } from './draft.ts'
import { consoleOf, MoveReport, type MoveSummary } from './report.ts'
import { type Taking, takeAll } from './take.ts'

export interface MoveOptions {
  /** The app is on a copy, which is thrown away. */
  readonly isDryRun?: boolean
  /** Where to write the report as JSON. */
  readonly report?: string | undefined
  /** Shows no progress. */
  readonly isQuiet?: boolean
}

export function showMove(source: Source<Draft>, report: MoveReport, isQuiet: boolean): Progress {
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

/** The stream that keeps how far a source has been read. */
export function markOf({ name }: Source<Draft>, { id }: ChangingSource): string {
  return `${name} ${id}`
}

const NOTHING = { problems: [], solved: [] }

/**
 * Writes everything once. Of a source that keeps changing, the mark of the very first attempt stays: what changes there while
 * this runs, or between two attempts, is read from there.
 */
export async function carryAll(taking: Omit<Taking, 'mode'>): Promise<ImportMark | undefined> {
  const { app, source } = taking
  const { changes } = source
  const origin = () => ({ actor: 'server', at: app.clock() }) as const
  let known: ImportMark | undefined
  if (changes !== undefined) {
    known = await readImportMark(app, markOf(source, changes))
    const { mark, isComplete } = known
    const begun = { mark: mark || (changes.mark() ?? ''), isComplete, ...NOTHING }
    known = await setImportMark(app, origin(), markOf(source, changes), begun)
  }
  await takeAll({ ...taking, mode: 'carry' }, source.read())
  if (changes === undefined || known === undefined) return undefined
  return setImportMark(app, origin(), markOf(source, changes), { mark: known.mark, isComplete: true, ...NOTHING })
}

/** Writes all drafts of a source. What is there already stays: it can be run again at any time. */
export async function runMove(app: App, source: Source<Draft>, options: MoveOptions = {}): Promise<MoveSummary> {
  const { isDryRun = false, isQuiet = false } = options
  const report = new MoveReport(options.report, consoleOf(app))
  const progress = showMove(source, report, isQuiet)
  try {
    await carryAll({ app, source, report })
    return report.finish({ source: source.name, isDryRun })
  } catch (error) {
    report.close()
    throw error
  } finally {
    progress.stop()
  }
}
