/**
 * Runs a row of the list of frameworks as its reader does: in an empty folder and one shell, the lines as they are printed,
 * with the files and the settings put into the project before the last one.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  codeOf,
  envFileOf,
  FRAMEWORKS,
  type FrameworkName,
  proposedUris,
  runLineOf,
  settingsOf,
} from '../../packages/create/frameworks/index.ts'
import type { People } from '../e2e/people.ts'

/** Without what is installed for this repository, except for its Node. */
const path = [
  dirname(process.execPath),
  ...(process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules')),
].join(delimiter)

const frameworks = fileURLToPath(new URL('../../packages/create/frameworks/', import.meta.url))

/** Why a row cannot be run here; false when it can. */
export function withoutProgram(name: FrameworkName): string | false {
  const { needs } = FRAMEWORKS[name]
  return spawnSync('sh', ['-c', `command -v ${needs}`]).status === 0 ? false : `there is no ${needs} on this machine`
}

/** Why nothing can be installed here; false when it can. */
export async function withoutRegistry(address = 'https://registry.npmjs.org/openid-client'): Promise<string | false> {
  const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(20_000) }).catch(() => undefined)
  return answer?.ok === true ? false : `${new URL(address).host} cannot be reached`
}

const TYPES = {
  web: {},
  native: { applicationType: 'OIDC_APP_TYPE_NATIVE', authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' },
  spa: {
    applicationType: 'OIDC_APP_TYPE_USER_AGENT',
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  },
}

/** Registers an app at an address and answers its file of settings, and where it returns. */
async function register({ url, call }: People, name: FrameworkName, address: string) {
  const framework = FRAMEWORKS[name]
  const { id: projectId } = await call('POST', '/management/v1/projects', { name: `${framework.label} ${address}` })
  const uris = proposedUris(framework, address)
  if (framework.kind === 'api') {
    const path = '/signet.project.v2.ProjectService/SetProjectResources'
    await call('POST', path, { projectId, resources: [{ uri: address }] })
  }
  const configuration =
    framework.kind === 'api' ? { apiConfiguration: {} } : { oidcConfiguration: { ...uris, ...TYPES[framework.kind] } }
  const path = '/signet.application.v2.ApplicationService/CreateApplication'
  const created = await call('POST', path, { projectId, name, ...configuration })
  const { clientId, clientSecret } = Object.values(created).find(
    (one) => typeof one === 'object' && one !== null && 'clientId' in one,
  ) as { readonly clientId: string; readonly clientSecret?: string }
  const redirectUri = uris.redirectUris[0] ?? ''
  const values = {
    issuer: url,
    clientId,
    clientSecret,
    audience: address,
    redirectUri,
    postLogoutRedirectUri: uris.postLogoutRedirectUris[0] ?? '',
  }
  const settings = settingsOf(framework, values, () => randomBytes(32).toString('base64url'))
  return { settings: envFileOf(settings), redirectUri }
}

export interface RunningRow {
  readonly address: string
  /** What the lines printed. */
  output(): string
  close(): Promise<void>
}

/** Puts the files of a row, as they are shown, into a folder. */
async function writeFiles(name: FrameworkName, into: string): Promise<void> {
  const from = join(frameworks, name, 'files')
  for (const file of FRAMEWORKS[name].files) {
    await cp(join(from, file), join(into, file), { recursive: true })
    await writeFile(join(into, file), `${codeOf(await readFile(join(from, file), 'utf8'))}\n`)
  }
}

/** Runs the lines until the app answers at the address. */
export async function runRow(
  people: People,
  name: FrameworkName,
  address: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningRow> {
  const framework = FRAMEWORKS[name]
  const folder = await mkdtemp(join(tmpdir(), `signet-${name}-`))
  const [empty, shown] = [join(folder, 'empty'), join(folder, 'shown')]
  const { settings, redirectUri } = await register(people, name, address)
  await writeFiles(name, shown)
  await writeFile(join(shown, '.env'), settings)
  const lines = [
    'set -e',
    `mkdir '${empty}' && cd '${empty}'`,
    ...framework.create,
    framework.install,
    // What the reader does by hand.
    `cp -R '${shown}/.' .`,
    runLineOf(framework, redirectUri),
  ]
  // A person who is asked whether npm may fetch what creates a project says yes.
  const asked = { npm_config_yes: 'true', npm_config_fund: 'false', npm_config_audit: 'false', CI: '1' }
  const shell = spawn('bash', ['-c', lines.join('\n')], {
    env: { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: '1', ...asked, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // With its children, so that all of them can be ended.
    detached: true,
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += data))
  const ended = new Promise<void>((resolve) => shell.once('exit', () => resolve()))
  const close = async () => {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await answers(address, () => shell.exitCode ?? shell.signalCode)
  } catch (error) {
    await close()
    assert.fail(`${name}: ${(error as Error).message}\n${output}`)
  }
  return { address, output: () => output, close }
}

async function answers(address: string, exit: () => number | string | null): Promise<void> {
  const end = Date.now() + 300_000
  for (;;) {
    const answer = await fetch(address, { redirect: 'manual' }).catch(() => undefined)
    if (answer !== undefined && answer.status < 500) return
    if (exit() !== null) throw new Error(`the lines ended with ${exit()}`)
    if (Date.now() > end) throw new Error(`nothing answers at ${address}`)
    await sleep(100)
  }
}
