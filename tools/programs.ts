/**
 * The programs that only `npm run check` and `npm run gen` need, with packages and a lock of their own: whoever runs the server
 * does not wait for them. The first call installs them, and so does the first one after their lock has changed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname

/** Says for which lock the folder was installed. */
const STATE = join(folder, 'node_modules/.installed-for')

function install(): void {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(STATE) && readFileSync(STATE, 'utf8') === wanted) return
  console.error('Installing the formatter and the compiler of the contract, once: npm ci --prefix tools')
  // A build for production leaves out what only development needs; this is that.
  const words = ['ci', '--prefix', folder, '--no-fund', '--no-audit', '--include=optional', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci --prefix tools failed:\n${stderr}`)
  writeFileSync(STATE, wanted)
}

/** The folder with the programs, which is made when it is first asked for. */
export function programs(): string {
  install()
  return join(folder, 'node_modules/.bin')
}
