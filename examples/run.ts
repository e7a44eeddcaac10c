/**
 * `npm run example web-app`: starts an example on a Signet that runs here. What it needs is registered the first time, and the
 * settings are kept in `examples/.env`. With `ISSUER` in the environment, all settings come from there instead.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isRegistered, register } from './set-up.ts'

const EXAMPLES = ['web-app', 'single-page-app', 'api', 'machine', 'mcp-server'] as const
const FILE = join(import.meta.dirname, '.env')

async function findSettings(): Promise<NodeJS.Dict<string>> {
  const kept = existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {}
  if (await isRegistered(kept)) return kept
  const settings = await register()
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  // There are secrets in it, and an existing file would keep its mode.
  rmSync(FILE, { force: true })
  writeFileSync(FILE, lines.join(''), { mode: 0o600 })
  console.log(`Registered the examples; their settings are in ${FILE}`)
  return settings
}

const example = EXAMPLES.find((name) => name === process.argv[2])
if (example === undefined) {
  console.error(`npm run example <name>, where <name> is ${EXAMPLES.join(', ')}`)
  process.exit(2)
}
try {
  if (process.env.ISSUER === undefined) Object.assign(process.env, await findSettings())
} catch (error) {
  const { message, cause } = error as Error
  console.error(`Cannot register the examples: ${cause instanceof Error ? cause.message : message}`)
  console.error('Is Signet running (npm start), with its data in this folder or in SIGNET_DATA_DIR?')
  process.exit(1)
}
await import(example === 'machine' ? './machine/call.ts' : `./${example}/server.ts`)
