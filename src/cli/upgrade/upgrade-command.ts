/** `signet upgrade`: what a start of this version would change in the database. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, databaseFile } from '../../config/index.ts'
import { version } from '../../config/version.ts'
import type { UpgradePlan } from '../../store/transfer/index.ts'

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

async function planUpgrade({ databaseUrl, dataDir }: Config): Promise<UpgradePlan> {
  const { kinds } = await import('../../modules.ts')
  if (databaseUrl !== undefined) {
    const { planPostgresUpgrade } = await import('../../store/postgres/versions/plan.ts')
    return planPostgresUpgrade(databaseUrl.reveal(), kinds)
  }
  const { planSqliteUpgrade } = await import('../../store/sqlite/plan.ts')
  return planSqliteUpgrade(resolve(databaseFile(dataDir)), kinds)
}

function describeSchema({ schema: { current, wanted } }: UpgradePlan): string {
  if (current === 0) return 'Schema: the tables will be created.'
  return current >= wanted
    ? `Schema: version ${current}, nothing to do.`
    : `Schema: from version ${current} to ${wanted}.`
}

function describeNodes({ engine, nodes, oldNodesContinue }: UpgradePlan): readonly string[] {
  if (engine === 'sqlite') return ['Nodes: one process. It is stopped, and the new version is started.']
  const lines = nodes.map(({ node, release, seenSecondsAgo, others }) => {
    const versions = others.length === 0 ? 'the same versions' : `other versions: ${others.join(', ')}`
    return `Node ${node}: Signet ${release || 'unknown'}, seen ${seenSecondsAgo} s ago, ${versions}.`
  })
  if (nodes.length === 0) lines.push('Nodes: none is running.')
  lines.push(
    oldNodesContinue
      ? 'Running nodes continue during the upgrade.'
      : 'Running nodes cannot continue: stop all of them before the new version starts.',
  )
  return lines
}

/** The plan in lines for a person. */
function describePlan(plan: UpgradePlan): readonly string[] {
  const { kinds, indexes, engine } = plan
  const when = engine === 'sqlite' ? 'before the server is ready' : 'beside those in use'
  const folds = kinds.map(
    ({ kind, from, to, documents }) =>
      `Fold: ${documents} documents of ${kind}, from version ${from.join(' and ')} to ${to}, ${when}.`,
  )
  return [
    describeSchema(plan),
    ...(folds.length === 0 ? ['Fold: nothing to do.'] : folds),
    ...indexes.build.map((name) => `Index to build: ${name}`),
    ...indexes.drop.map((name) => `Index to drop: ${name}`),
    ...describeNodes(plan),
  ]
}

/** Adds the command to the program. */
export function addUpgradeCommand(program: Command, { say, complain, settings }: Output): void {
  program
    .command('upgrade')
    .description('say what a start of this version would change in the database')
    .option('--check', 'as without it: nothing is changed; the upgrade itself is a start of the new version')
    .option('--json', 'print the result as one line of JSON')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const plan = await planUpgrade(settings())
      if (json) say(JSON.stringify({ version, ...plan }))
      else for (const line of describePlan(plan)) say(line)
      if (!json) for (const problem of plan.problems) complain(problem)
      if (plan.problems.length > 0) process.exitCode = 1
    })
}
