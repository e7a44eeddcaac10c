/** The command line: which commands there are, and how they end. Secrets are never arguments. */
import { existsSync } from 'node:fs'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { FAILED, OUTDATED, WRONG_SETTINGS } from '../config/exit-codes.ts'
import { externalUrl } from '../config/external-url.ts'
import { type Config, databaseFile, readConfig } from '../config/index.ts'
import { describeVersion } from '../config/version.ts'
import { MasterKeyRefused } from '../crypto/master-key.ts'
import type { Pages } from '../http/page.ts'
import { Refused } from '../kernel/refusal.ts'
import { DEFAULT_KEY_TYPE } from '../kernel/web-key-type.ts'
import { NodeOutdated } from '../store/outdated.ts'
import { addBenchCommand } from './bench/bench-command.ts'
import { completionScript, SHELLS, type Shell } from './completion.ts'
import { addEventsCommand } from './events/events-command.ts'
import { addCompareCommand } from './import/compare/command.ts'
import { addCsvCommand, addUploadOptions } from './import/csv-command.ts'
import type { ImportFlags } from './import/import.ts'
import { addMoveCommands } from './import/move-command.ts'
import { addInitCommand } from './init-command.ts'
import type { Life } from './start.ts'
import { addTestServerCommand } from './test-server/command.ts'
import { addTransferCommands, JSON_FLAG, type JsonFlag } from './transfer-commands.ts'
import { addUpgradeCommand } from './upgrade/upgrade-command.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
function complain(line: string): void {
  process.stderr.write(`signet: ${line}\n`)
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The settings, or the end of the process with everything that is wrong with them. */
function settled(): { readonly config: Config; readonly warnings: readonly string[] } {
  const { config, problems, warnings } = readConfig()
  if (config) return { config, warnings }
  for (const line of [...problems, ...warnings]) complain(line)
  process.exit(WRONG_SETTINGS)
}

/** For commands other than the server: warnings go to the terminal. */
function settledWithWarnings(): Config {
  const { config, warnings } = settled()
  for (const warning of warnings) complain(warning)
  return config
}

/** Starts what takes other threads some time, before the rest of the program is loaded. */
async function beginAhead({ dataDir }: Config): Promise<void> {
  const { startThreadAhead } = await import('../store/sqlite/write.ts')
  startThreadAhead()
  if (existsSync(databaseFile(dataDir))) return
  const { generateAhead } = await import('../crypto/web-key.ts')
  // The key that signs tokens and the next one.
  generateAhead(DEFAULT_KEY_TYPE, 2)
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

/** What works on the whole database. */
function addMaintenanceCommands(program: Command): void {
  program
    .command('rebuild')
    .description('rebuild all documents from the event log')
    .option(...JSON_FLAG)
    .action(async ({ json = false }: JsonFlag) => {
      const { rebuild } = await import('./maintain.ts')
      const rebuilt = await rebuild(settledWithWarnings(), { isQuiet: json })
      say(json ? JSON.stringify(rebuilt) : `${countOf(rebuilt.events, 'event')} folded: all documents were rebuilt.`)
    })
}

/** The links with which administrators get in, for the operator. */
function addAdministratorCommands(program: Command): void {
  program
    .command('setup-link')
    .description('create a new one-time setup link for the first administrator; the previous link stops working')
    .action(async () => {
      const { renewSetupLink } = await import('./maintain.ts')
      const config = settledWithWarnings()
      say(await renewSetupLink(config, externalUrl(config, config.listen.port)))
    })

  program
    .command('admin')
    .description('administrators of the instance')
    .command('recover')
    .description('create a one-time link with which an administrator who cannot sign in sets a password or a passkey')
    .option('--user <name>', 'user name of an owner of the instance (default: the first administrator)')
    .option('--reset-factors', 'using the link also removes the second factors and passkeys of the administrator')
    .action(async ({ user, resetFactors = false }: { user?: string; resetFactors?: boolean }) => {
      const { recover } = await import('./maintain.ts')
      const config = settledWithWarnings()
      const recovery = { userName: user, resetsFactors: resetFactors }
      const { url, userName } = await recover(config, externalUrl(config, config.listen.port), recovery)
      say(`One-time link for ${userName}, valid for 7 days: ${url}`)
    })
}

async function rotateDataKey({ json = false }: JsonFlag): Promise<void> {
  const { rotateKey } = await import('./maintain.ts')
  const rotated = await rotateKey(settledWithWarnings(), { isQuiet: json })
  const [values, keys] = [countOf(rotated.resealed, 'value'), countOf(rotated.removedKeys, 'old key')]
  say(json ? JSON.stringify(rotated) : `Key rotated: ${values} re-encrypted, ${keys} removed.`)
}

/** The keys that sign tokens, and the key that encrypts secrets in the database. */
function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('keys that sign tokens and encrypt secrets')
  keys
    .command('rotate-data')
    .description('create a new data key and re-encrypt all secrets')
    .option(...JSON_FLAG)
    .action(rotateDataKey)
  // Its name before `keys` had two kinds of them.
  program
    .command('rotate-key', { hidden: true })
    .option(...JSON_FLAG)
    .action(rotateDataKey)
  keys
    .command('rotate')
    .description('replace the key that signs tokens; the old one stays published until its tokens have expired')
    .action(async () => {
      const { rotateWebKeys } = await import('./maintain.ts')
      const config = settledWithWarnings()
      const { isActivated } = await rotateWebKeys(config, externalUrl(config, config.listen.port))
      say(
        isActivated
          ? 'The next key signs tokens from now on.'
          : 'The next key is published. The running server activates it in about 10 minutes.',
      )
    })
}

/** What a shell and its user ask about the program itself. */
function addInformationCommands(program: Command): void {
  const showVersion = () => say(describeVersion())
  program.option('-V, --version', 'print the version and the commit').on('option:version', () => {
    showVersion()
    process.exit(0)
  })
  program.command('version').description('print the version and the commit').action(showVersion)

  program
    .command('licenses')
    .description('print the licenses of the software that Signet contains')
    .action(async () => {
      const { readLicenses } = await import('./licenses.ts')
      const text = readLicenses()
      if (text !== undefined) process.stdout.write(text)
      else {
        complain('This is a checkout, which contains no other software. Each package in node_modules has its license.')
        process.exitCode = 1
      }
    })

  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(program, shell))
    })
}

/** All commands. `pages` are served beside the server's own; only tests pass some. */
export function createProgram(pages?: Pages): Command {
  const program = new Command('signet').description('Signet identity server').showHelpAfterError()
  // `import` and `import compare` have options of the same names: each takes those that stand after it.
  program.enablePositionalOptions()

  program
    .command('start')
    .description('run the server')
    .option('--port <number>', 'port to listen on, instead of the one in SIGNET_LISTEN', readPort)
    // For the process that starts this one.
    .addOption(new Option('--restarts <count>').argParser(Number).hideHelp())
    .addOption(new Option('--died-of <reason>').hideHelp())
    .action(async ({ port, ...life }: Life & { readonly port?: number }) => {
      const { config: given, warnings } = settled()
      const config = port === undefined ? given : { ...given, listen: { ...given.listen, port } }
      if (config.databaseUrl === undefined) await beginAhead(config)
      const { start } = await import('./start.ts')
      await start({ config, warnings, pages, life })
    })

  program
    .command('doctor')
    .description('check the environment without changing anything')
    .action(async () => {
      const { config, warnings } = settled()
      for (const warning of warnings) say(`note   settings: ${warning}`)
      const { examine } = await import('./doctor/doctor.ts')
      process.exitCode = (await examine(config, say)) ? 0 : 1
    })

  program
    .command('ready')
    .description('ask the server on this machine whether it is ready (exit code 0)')
    .action(async () => {
      const { askReady } = await import('./ready.ts')
      const answer = await askReady(settledWithWarnings())
      if (answer === 200) return say('ready')
      complain(`not ready: ${answer}`)
      // A server that answered is still open on this end.
      process.exit(1)
    })

  addMaintenanceCommands(program)
  addAdministratorCommands(program)
  addKeyCommands(program)
  addTransferCommands(program, { say, complain, settings: settledWithWarnings })
  addUpgradeCommand(program, { say, complain, settings: settledWithWarnings })

  const importUsers = async (file: string, options: ImportFlags) => {
    const config = settledWithWarnings()
    const { importAny } = await import('./import/csv.ts')
    process.exitCode = await importAny({ config, file, options, say, complain })
  }
  const importing = program
    .command('import')
    .description('import users from a file into a running server, or everything from another product')
    .argument('<file>', 'CSV (a name that ends in .csv), or one request body of POST /v2/users/human per line (NDJSON)')
  addUploadOptions(importing).action(importUsers)
  addCsvCommand(importing, importUsers)
  addMoveCommands(importing, { say, complain, settings: settledWithWarnings })
  addCompareCommand(importing, { say, complain, settings: settledWithWarnings })

  addEventsCommand(program, { say, complain, settings: settledWithWarnings })
  addInitCommand(program, { say, complain })
  addTestServerCommand(program, { say, complain })
  addBenchCommand(program, { say, complain, settings: settledWithWarnings })
  addInformationCommands(program)
  return program
}

/** Runs the command that `argv` names. */
export async function runProgram(argv: readonly string[], pages?: Pages): Promise<void> {
  try {
    await createProgram(pages).parseAsync(argv)
  } catch (error) {
    complain(await reasonOf(error))
    process.exit(exitCodeOf(error))
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof NodeOutdated) return OUTDATED
  return error instanceof MasterKeyRefused && error.setting !== undefined ? WRONG_SETTINGS : FAILED
}

/** Why the database cannot be used. */
async function reasonOfDatabase(error: Refused): Promise<string> {
  const url = readConfig().config?.databaseUrl
  if (url === undefined) return 'The database is unavailable. Run signet doctor for details.'
  const { describeFailure } = await import('../store/postgres/describe-failure.ts')
  return describeFailure(url.reveal(), error)
}

/** What an operator needs to hear: a sentence where we have one, the stack where we have not. */
async function reasonOf(error: unknown): Promise<string> {
  if (error instanceof Refused) return error.kind === 'unavailable' ? reasonOfDatabase(error) : error.message
  if (!(error instanceof Error)) return 'unknown error'
  const isOurs = error.constructor !== Error && !(error instanceof TypeError)
  return isOurs || 'code' in error ? error.message : (error.stack ?? error.message)
}
