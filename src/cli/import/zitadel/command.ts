/** `signet import zitadel`: reads the database of a ZITADEL. */
import { readFile } from 'node:fs/promises'
import { meaningOf } from '../../setting-refused.ts'
import { checkedSource } from '../checked-source.ts'
import { CannotImport } from '../import.ts'
import type { SourceCommand } from '../source-command.ts'

async function readKeyFile(file: string): Promise<Buffer> {
  const { readMasterKey } = await import('./keys.ts')
  const content = await readFile(file).catch((error: unknown) => {
    throw new CannotImport(`${file} ${meaningOf(error)}.`)
  })
  return readMasterKey(content)
}

export const zitadelCommand: SourceCommand = {
  name: 'zitadel',
  description: 'import everything from the database of a ZITADEL (2.66 to 4), which is only read',
  arguments: [['<database>', 'postgres://… of ZITADEL; a user who can only read is enough']],
  options: [
    ['--master-key-file <file>', 'file that contains the master key of ZITADEL (32 characters)'],
    ['--instance <name>', 'ID, name or domain of the instance, if the database has several'],
  ],
  canFollow: true,
  async open([url = ''], { masterKeyFile, instance }) {
    if (typeof masterKeyFile !== 'string') throw new CannotImport('Name the file of the master key: --master-key-file.')
    if (!/^postgres(ql)?:\/\//.test(url))
      throw new CannotImport('The database must look like postgres://user@host/name.')
    const masterKey = await readKeyFile(masterKeyFile)
    const { openZitadel } = await import('./source.ts')
    return checkedSource(await openZitadel({ url, masterKey, ...(typeof instance === 'string' && { instance }) }))
  },
}
