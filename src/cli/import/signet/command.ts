/** `signet import signet <file>`. */
import { CannotImport } from '../import.ts'
import type { SourceCommand } from '../source-command.ts'

export const signetCommand: SourceCommand = {
  name: 'signet',
  description: 'read a file of signet export into an empty database: see docs/guides/leave-or-return.md',
  arguments: [['<file>', 'file that signet export wrote']],
  options: [
    ['--passphrase-file <file>', 'file with the passphrase that seals the secrets in the export'],
    ['--merge', 'add the objects to the instance of this database, which has been started before'],
  ],
  async open([file = ''], { passphraseFile, merge }) {
    const { openSignet } = await import('./source.ts')
    const { readPassphrase } = await import('../../archive/passphrase.ts')
    const passphrase = async () => {
      if (typeof passphraseFile === 'string') return readPassphrase(passphraseFile)
      throw new CannotImport('The secrets in the export are sealed: add --passphrase-file.')
    }
    return openSignet(file, passphrase, { merges: merge === true, mustBeSealed: passphraseFile !== undefined })
  },
}
