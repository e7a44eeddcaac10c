/** `signet init`: registers the app in a folder at Signet, and writes its settings and the code to sign in. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type FilePlan, patchOf, planFiles, writeProject } from './files.ts'
import { askFor, type Flags, type Given, readFlags, USAGE } from './flags.ts'
import { envFileOf, FRAMEWORKS, proposedUris, runLineOf, settingsOf } from './frameworks/index.ts'
import { EXIT, Problem } from './problem.ts'
import { findProject } from './project.ts'
import { findToken, register, requireSignet } from './signet.ts'

/** What the command is run in. */
interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly isTTY: boolean
  out(text: string): void
}

function surroundings(): Surroundings {
  const out = (text: string) => process.stdout.write(`${text}\n`)
  return { env: process.env, isTTY: process.stdin.isTTY === true, out }
}

interface Done {
  readonly framework: string
  readonly name: string
  readonly changed: boolean
  readonly clientId?: string
  /** Relative to the folder. */
  readonly files: readonly string[]
  readonly next: readonly string[]
  readonly open?: string
}

function nextLines({ framework, address }: Given): readonly string[] {
  const row = FRAMEWORKS[framework]
  const redirectUri = proposedUris(row, address).redirectUris[0] ?? address
  return [row.install, runLineOf(row, redirectUri)].filter((line) => line !== '')
}

/** Pages that every project has are examples: they are shown and not written. */
function split({ framework }: Given, plan: FilePlan) {
  const isPage = ({ name }: { readonly name: string }) => FRAMEWORKS[framework].pages?.includes(name) === true
  return { blocking: plan.differ.filter((file) => !isPage(file)), shown: plan.differ.filter(isPage) }
}

async function setUp(given: Given, folder: string, plan: FilePlan, env: NodeJS.ProcessEnv): Promise<string> {
  const row = FRAMEWORKS[given.framework]
  const token = findToken(given.url, env, folder)
  await requireSignet(given.url)
  const registered = await register({ url: given.url, token }, given)
  try {
    const { clientId, clientSecret } = registered
    const uris = proposedUris(row, given.address)
    const values = {
      issuer: given.url,
      clientId,
      clientSecret,
      audience: given.address,
      redirectUri: uris.redirectUris[0] ?? given.address,
      postLogoutRedirectUri: uris.postLogoutRedirectUris[0] ?? '',
    }
    const settings = settingsOf(row, values, () => randomBytes(32).toString('base64url'))
    writeProject(folder, plan, envFileOf(settings))
    return clientId
  } catch (error) {
    await registered.remove().catch(() => undefined)
    throw error
  }
}

function print({ out }: Surroundings, flags: Flags, done: Done, patches: readonly string[]): void {
  if (flags.json) {
    out(JSON.stringify({ ...done, patches }))
    return
  }
  const verb = flags['dry-run'] ? 'Would write' : 'Wrote'
  if (!done.changed) out(`${done.name} is set up: nothing was changed.`)
  else out(`${flags['dry-run'] ? 'Would register' : 'Registered'} ${done.name}. ${verb} ${done.files.join(', ')}.`)
  if (patches.length > 0)
    out(`These files exist and were not changed. Take from this what you need:\n\n${patches.join('\n\n')}\n`)
  if (done.changed) out(['Next:', ...done.next.map((line) => `  ${line}`), `Open ${done.open}`].join('\n'))
}

async function init(flags: Flags, around: Surroundings): Promise<number> {
  const folder = resolve(flags.dir)
  const given = await askFor(flags, findProject(flags.dir), around)
  const row = FRAMEWORKS[given.framework]
  const plan = planFiles(folder, given.framework)
  const { blocking, shown } = split(given, plan)
  const about = { framework: given.framework, name: given.name, next: nextLines(given), open: given.address }
  const names = Object.keys(row.settings)
  const there = names.filter((name) => plan.set.includes(name))
  if (there.length === names.length) {
    print(around, flags, { ...about, changed: false, files: [] }, [])
    return 0
  }
  if (there.length > 0)
    throw new Problem(`.env has ${there.join(', ')} already: remove these lines, or use another folder.`, EXIT.patch)
  if (blocking.length > 0) {
    print(around, flags, { ...about, changed: false, files: [] }, blocking.map(patchOf))
    throw new Problem(
      `${blocking.map(({ name }) => name).join(', ')} differs: nothing was registered or written.`,
      EXIT.patch,
    )
  }
  const files = ['.env', ...plan.write.map(({ name }) => name)]
  if (flags['dry-run']) {
    print(around, flags, { ...about, changed: true, files }, shown.map(patchOf))
    return 0
  }
  const clientId = await setUp(given, folder, plan, around.env)
  print(around, flags, { ...about, changed: true, clientId, files }, shown.map(patchOf))
  return shown.length > 0 ? EXIT.patch : 0
}

/** Runs the command; answers its exit code. */
export async function run(words: readonly string[], around = surroundings()): Promise<number> {
  try {
    const flags = readFlags(words)
    if (!flags.help) return await init(flags, around)
    around.out(USAGE)
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    process.stderr.write(`signet: ${error.message}\n`)
    return error.exitCode
  }
}
