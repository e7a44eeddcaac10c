/** `signet import zitadel …`: everything of another product, written into the database of this instance. */
import type { Command } from 'commander'
import { externalUrl } from '../../config/external-url.ts'
import type { Config } from '../../config/index.ts'
import type { App } from '../../module/app.ts'
import type { Draft } from '../../module/carried.ts'
import { JSON_FLAG } from '../transfer-commands.ts'
import type { Source } from './draft.ts'
import { CannotImport } from './import.ts'
import type { MoveSummary } from './report.ts'
import { keepHeapSmall } from './small-heap.ts'
import type { SourceCommand } from './source-command.ts'
import { SOURCES } from './sources.ts'

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

interface MoveFlags {
  readonly dryRun?: boolean
  readonly report?: string
  readonly json?: boolean
  readonly follow?: boolean
  readonly cutOver?: boolean
}

/** Ends a follower after what it is writing. */
function untilInterrupted(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return ending.signal
}

async function runIn(app: App, source: Source<Draft>, flags: MoveFlags): Promise<MoveSummary> {
  const { dryRun: isDryRun = false, report, json: isQuiet = false, follow = false, cutOver: isCutOver = false } = flags
  if (!follow && !isCutOver) {
    const { runMove } = await import('./move.ts')
    return runMove(app, source, { isDryRun, report, isQuiet })
  }
  const { runFollow } = await import('./follow.ts')
  return runFollow(app, source, { isCutOver, signal: untilInterrupted(), report, isQuiet })
}

async function move({ say, settings }: Output, command: SourceCommand, args: readonly string[], flags: MoveFlags) {
  keepHeapSmall()
  const config = settings()
  const { dryRun: isDryRun = false, json: isQuiet = false } = flags
  if (isDryRun && (flags.follow || flags.cutOver))
    throw new CannotImport('--dry-run goes with neither --follow nor --cut-over.')
  const [{ withTarget }, { describeSummary }] = await Promise.all([import('./target.ts'), import('./report.ts')])
  const source = await command.open(args, flags as Readonly<Record<string, string | boolean | undefined>>)
  try {
    const { name, instance } = source
    const summary = await withTarget(
      config,
      externalUrl(config, config.listen.port),
      isDryRun,
      (app) => runIn(app, source, flags),
      instance && { source: name, instance },
    )
    if (isQuiet) say(JSON.stringify(summary))
    else for (const line of describeSummary(summary)) say(line)
    if (Object.values(summary.kinds).some(({ refused, kept = 0 }) => refused + kept > 0)) process.exitCode = 1
  } finally {
    await source.close?.()
  }
}

/** Adds a command for each product to `signet import`. */
export function addMoveCommands(importing: Command, output: Output, sources = SOURCES): void {
  for (const source of sources) {
    const command = importing.command(source.name).description(source.description)
    for (const [name, description] of source.arguments) command.argument(name, description)
    for (const [flags, description] of source.options) command.option(flags, description)
    if (source.canFollow) {
      command
        .option(
          '--follow',
          'continue with what changes there, until it is interrupted; the next run continues from there',
        )
        .option('--cut-over', 'when nobody uses the source any more: finish the rest, and say that nothing is left')
    }
    command
      .option('--dry-run', 'say what would become of everything, on a copy that is thrown away')
      .option('--report <file>', 'write the report with every problem to this file, as JSON')
      .option(...JSON_FLAG)
      .action(async (...given: unknown[]) => {
        const args = given.slice(0, source.arguments.length).map(String)
        await move(output, source, args, given[source.arguments.length] as MoveFlags)
      })
  }
}
