/** `signet export`: everything of an instance, or only its human users. */
import type { Command } from 'commander'
import type { Config } from '../../config/index.ts'
import { groupDigits } from '../progress.ts'
import { SettingRefused } from '../setting-refused.ts'
import type { ExportResult } from './instance.ts'

interface Output {
  say(line: string): void
  settings(): Config
}

interface ExportFlags {
  readonly passphraseFile?: string
  readonly withoutSecrets?: boolean
  readonly users?: boolean
  readonly organization?: string
  readonly withHashes?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** Whether only users are asked for. */
function isOfUsers(file: string, { users, organization, withHashes }: ExportFlags): boolean {
  return users === true || organization !== undefined || withHashes === true || file.toLowerCase().endsWith('.csv')
}

async function passphraseOf({ passphraseFile, withoutSecrets = false }: ExportFlags): Promise<string | undefined> {
  if (passphraseFile !== undefined && withoutSecrets) {
    throw new SettingRefused('--without-secrets', 'there is no use for a passphrase then.')
  }
  if (withoutSecrets) return undefined
  if (passphraseFile === undefined) {
    throw new SettingRefused(
      '--passphrase-file',
      'an export contains password hashes, client secrets and private keys, which a passphrase seals. Write one to a file, or add --without-secrets; --users exports only users.',
    )
  }
  const { readPassphrase } = await import('../archive/passphrase.ts')
  return readPassphrase(passphraseFile)
}

function describe({ file, lines, kinds, isSealed, withoutSecrets }: ExportResult): readonly string[] {
  const counts = Object.entries(kinds).map(([kind, count]) => `${kind} ${groupDigits(count)}`)
  return [
    `${file}: ${groupDigits(lines)} objects.`,
    counts.join(', '),
    isSealed
      ? 'Secrets are sealed with the passphrase: keep it apart from the file. Names and addresses of users are not sealed.'
      : `Without secrets: ${groupDigits(withoutSecrets)} hashes, secrets and keys were left out. Users need new passwords.`,
    'Sessions and refresh tokens are not in it: who is signed in signs in once more.',
  ]
}

/** Adds the command to the program. */
export function addExportCommand(program: Command, { say, settings }: Output): void {
  program
    .command('export')
    .description('write everything of the instance to a file that signet import signet reads, while the server runs')
    .argument('<file>', 'where to write it, as newline-delimited JSON (NDJSON); a name that ends in .csv: only users')
    .option('--passphrase-file <file>', 'file with a passphrase, which seals hashes, secrets and private keys')
    .option('--without-secrets', 'leave out hashes, secrets and private keys')
    .option('--users', 'only human users, in a file that signet import accepts')
    .option('--organization <id>', 'only the human users of this organization')
    .option('--with-hashes', 'only human users, with the hashes of their passwords; not in CSV')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print the result as one line of JSON, and no progress')
    .action(async (file: string, flags: ExportFlags) => {
      const { json: isQuiet = false, force: replaces = false } = flags
      if (isOfUsers(file, flags)) {
        const { exportUsers } = await import('./users.ts')
        const users = await exportUsers(settings(), file, flags, { isQuiet })
        say(isQuiet ? JSON.stringify({ file, users }) : `${file}: ${users} users.`)
        return
      }
      const passphrase = await passphraseOf(flags)
      const { exportInstance } = await import('./instance.ts')
      const result = await exportInstance(settings(), file, { passphrase, replaces, isQuiet })
      if (isQuiet) say(JSON.stringify(result))
      else for (const line of describe(result)) say(line)
    })
}
