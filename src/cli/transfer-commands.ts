/** The commands that copy, check and move a database. */
import type { Command } from 'commander'
import { type Config, readConfigWith } from '../config/index.ts'
import { addExportCommand } from './export/export-command.ts'
import { SettingRefused } from './setting-refused.ts'
import type { CheckResult } from './transfer.ts'

interface Output {
  say(line: string): void
  complain(line: string): void
  settings(): Config
}

/** Whether a command prints JSON. */
export interface JsonFlag {
  readonly json?: boolean
}

/** The option of commands that take long. */
export const JSON_FLAG = ['--json', 'print the result as one line of JSON, and no progress'] as const

function describeCheck({ events, documents, claims, digest }: CheckResult): string {
  return `${events} events, ${documents} documents and ${claims} claims agree; digest of the log ${digest}`
}

/** The settings with another database. */
function settingsOf(target: string): Config {
  const { config, problems } = readConfigWith(target)
  if (config === undefined) throw new SettingRefused('--to', problems.join(' '))
  return config
}

function addBackupCommands(program: Command, { say, complain, settings }: Output): void {
  program
    .command('backup')
    .description('write the whole database to a file, while the server runs')
    .argument('<file>', 'where to write it; encrypted if SIGNET_BACKUP_KEY is set')
    .option('--force', 'replace the file if it exists')
    .option(...JSON_FLAG)
    .action(async (file: string, { json = false, force = false }: JsonFlag & { readonly force?: boolean }) => {
      const { backup } = await import('./transfer.ts')
      const result = await backup(settings(), file, { isQuiet: json, replaces: force })
      if (json) say(JSON.stringify(result))
      else {
        const form = result.isEncrypted ? 'encrypted' : 'not encrypted; it contains hashes of passwords'
        say(`${result.file}: ${result.events} events and ${result.jobs} jobs (${form}).`)
        say('Keep the master key too: without it, sealed secrets in the backup cannot be used.')
      }
    })

  program
    .command('restore')
    .description('load a backup into an empty database and check it')
    .argument('<file>', 'a file that signet backup wrote')
    .option(...JSON_FLAG)
    .action(async (file: string, { json = false }: JsonFlag) => {
      const { restore } = await import('./transfer.ts')
      const result = await restore(settings(), file, { isQuiet: json })
      say(json ? JSON.stringify(result) : `Restored: ${describeCheck(result)}.`)
    })

  program
    .command('verify')
    .description('fold the event log and compare every document and claim with it')
    .option(...JSON_FLAG)
    .action(async ({ json = false }: JsonFlag) => {
      const { check } = await import('./transfer.ts')
      const result = await check(settings(), { isQuiet: json })
      if (json) say(JSON.stringify(result))
      else if (result.problems.length === 0) say(`${describeCheck(result)}.`)
      else for (const problem of result.problems) complain(problem)
      if (result.problems.length > 0) process.exitCode = 1
    })
}

/** Adds the commands to the program. */
export function addTransferCommands(program: Command, output: Output): void {
  const { say, settings } = output
  addBackupCommands(program, output)

  program
    .command('move')
    .description('move all data to another database; the old one then refuses to start')
    .requiredOption('--to <database>', 'postgres://… or a folder for SQLite; it must be empty')
    .option(...JSON_FLAG)
    .action(async ({ to, json = false }: JsonFlag & { readonly to: string }) => {
      const { move } = await import('./transfer.ts')
      const result = await move(settings(), settingsOf(to), { isQuiet: json })
      if (json) say(JSON.stringify(result))
      else {
        say(`Moved: ${describeCheck(result)}.`)
        say('Start Signet with the new database and the same master key. The old database refuses to start.')
      }
    })

  addExportCommand(program, { say, settings })
}
