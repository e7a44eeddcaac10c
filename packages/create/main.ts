/** `signet init`: registers the app in a folder at Signet, and writes its settings and the code to sign in. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type FilePlan, patchOf, planFiles, writeProject } from './files.ts'
import { askFor, type Flags, type Given, readFlags, USAGE } from './flags.ts'
import { envFileOf, FRAMEWORKS, proposedUris, runLineOf, settingsOf } from './frameworks/index.ts'
import { EXIT, Problem } from './problem.ts'
import { findProject } from './project.ts'
import { findToken, register, requireSignet } from './signet.ts'

/** A server that belongs to a folder, where this command is part of a server. */
export interface LocalServers {
  /** The one of this folder, started if it does not run. Rejects with an error that is a sentence. */
  start(folder: string): Promise<LocalServer>
  /** Takes the first start of a server back. */
  forget(folder: string): Promise<void>
}

interface LocalServer {
  readonly url: string
  readonly setupUrl: string | undefined
  readonly token: string
  readonly isNew: boolean
}

/** What the command is run in. */
interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly isTTY: boolean
  readonly servers: LocalServers | undefined
  out(text: string): void
}

function surroundings(servers: LocalServers | undefined): Surroundings {
  const out = (text: string) => process.stdout.write(`${text}\n`)
  return { env: process.env, isTTY: process.stdin.isTTY === true, servers, out }
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
  /** The server that --start started. */
  readonly server?: string
  /** Makes its first administrator, once. */
  readonly setupUrl?: string
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

async function setUp(given: Given, folder: string, plan: FilePlan, token: string): Promise<string> {
  const row = FRAMEWORKS[given.framework]
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

/** Runs something at a server of this folder, which goes again if it is new and this fails. */
async function atOwnServer<Value>(
  { start, forget }: LocalServers,
  folder: string,
  act: (server: LocalServer) => Promise<Value>,
): Promise<Value & { readonly server: string; readonly setupUrl?: string }> {
  const server = await start(folder).catch((error: Error) => {
    throw new Problem(error.message)
  })
  try {
    const { url, setupUrl } = server
    return { ...(await act(server)), server: url, ...(setupUrl !== undefined && { setupUrl }) }
  } catch (error) {
    if (server.isNew && server.setupUrl !== undefined) await forget(folder)
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
  if (done.server !== undefined) out(`Signet runs at ${done.server} until you call: signet stop`)
  if (done.setupUrl !== undefined) out(`Make yourself its first administrator (one-time link): ${done.setupUrl}`)
  if (done.changed) out(['Next:', ...done.next.map((line) => `  ${line}`), `Open ${done.open}`].join('\n'))
}

async function init(flags: Flags, around: Surroundings): Promise<number> {
  const folder = resolve(flags.dir)
  if (flags.start && flags.url !== undefined)
    throw new Problem('--start and --url exclude each other: the server that is started has an address.', EXIT.wrong)
  if (flags.start && around.servers === undefined)
    throw new Problem('--start needs the server: call signet init instead.', EXIT.wrong)
  const given = await askFor(flags, findProject(flags.dir), around)
  const row = FRAMEWORKS[given.framework]
  const plan = planFiles(folder, given.framework)
  const { blocking, shown } = split(given, plan)
  const about = { framework: given.framework, name: given.name, next: nextLines(given), open: given.address }
  const names = Object.keys(row.settings)
  const there = names.filter((name) => plan.set.includes(name))
  if (there.length === names.length) {
    const nothing = async () => ({})
    const server = flags.start && around.servers ? await atOwnServer(around.servers, folder, nothing) : {}
    print(around, flags, { ...about, changed: false, ...server, files: [] }, [])
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
  const act = async (url: string, token: string) => ({ clientId: await setUp({ ...given, url }, folder, plan, token) })
  const done =
    flags.start && around.servers !== undefined
      ? await atOwnServer(around.servers, folder, ({ url, token }) => act(url, token))
      : await act(given.url, findToken(given.url, around.env, folder))
  print(around, flags, { ...about, changed: true, ...done, files }, shown.map(patchOf))
  return shown.length > 0 ? EXIT.patch : 0
}

/** Runs the command; answers its exit code. */
export async function run(words: readonly string[], servers?: LocalServers): Promise<number> {
  const around = surroundings(servers)
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
