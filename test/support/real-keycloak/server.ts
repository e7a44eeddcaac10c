/**
 * A real Keycloak, from the folder that SIGNET_TEST_KEYCLOAK names: a distribution that nobody else uses, because the realm is made
 * anew in its database each time. It listens on this machine alone, with a small heap.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

export const keycloakFolder = process.env.SIGNET_TEST_KEYCLOAK ?? ''

/** Its first start builds it, which takes long on a busy machine. */
const LONGEST_START_MS = 15 * 60_000

type Json = Readonly<Record<string, unknown>>

const ADMINISTRATOR = { username: 'admin', password: 'admin' }

function run(args: readonly string[]): ChildProcess {
  const own = {
    KC_BOOTSTRAP_ADMIN_USERNAME: ADMINISTRATOR.username,
    KC_BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password,
  }
  const env = { ...process.env, ...own, JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx640m' }
  // A group of its own: the script starts Java, and both end together.
  return spawn(join(keycloakFolder, 'bin', 'kc.sh'), args, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

export class RealKeycloak {
  readonly url: string
  readonly #ports: readonly [number, number]
  #child: ChildProcess | undefined

  private constructor(ports: readonly [number, number]) {
    this.#ports = ports
    this.url = `http://127.0.0.1:${ports[0]}`
  }

  static async start(): Promise<RealKeycloak> {
    const keycloak = new RealKeycloak([await freePort(), await freePort()])
    await keycloak.start()
    return keycloak
  }

  async start(): Promise<void> {
    const [port, management] = this.#ports
    const child = run([
      ...['start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, `--http-management-port=${management}`],
      '--cache=local',
    ])
    child.stdout?.resume()
    this.#child = child
    for (const end = Date.now() + LONGEST_START_MS; ; await setTimeout(500)) {
      const answer = await fetch(`${this.url}/realms/master`).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.ok === true) return
      if (child.exitCode !== null || Date.now() > end) throw new Error('Keycloak did not start.')
    }
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGTERM')
    await ended
  }

  /** A token of its administrator, for an hour. */
  async token(): Promise<string> {
    const token = await this.#token()
    await this.#call(token, 'PUT', '/master', { accessTokenLifespan: 3_600 })
    return await this.#token()
  }

  async #token(): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMINISTRATOR })
    const answer = await fetch(`${this.url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body })
    return ((await answer.json()) as { readonly access_token: string }).access_token
  }

  async #call(token: string, method: string, path: string, body?: Json): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${this.url}/admin/realms${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const words = await answer.text()
    if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.status} ${words}`)
  }

  /** Makes a realm, instead of one of the same name. */
  async makeRealm(realm: Json & { readonly realm: string }): Promise<void> {
    const token = await this.token()
    await this.#call(token, 'DELETE', `/${realm.realm}`)
    await this.#call(token, 'POST', '', realm)
  }

  /** Exports a realm into a folder; the database has one user at a time, so it is stopped for that long. */
  async export(realm: string, folder: string): Promise<void> {
    await this.stop()
    const child = run(['export', '--dir', folder, '--realm', realm, '--users', 'same_file'])
    const [said, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
    if (code !== 0) throw new Error(`Keycloak did not export the realm: ${said}`)
    await this.start()
  }
}
