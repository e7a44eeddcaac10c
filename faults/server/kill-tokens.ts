/** `kill -9` while eight machines get tokens: every token that was acknowledged works after the restart. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { callApi, type Running, startServerProcess } from '../../test/support/server-process.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const CLIENTS = 8

interface Scene {
  readonly url: string
  readonly dataDir: string
  start(): Promise<Running>
  /** The credentials of a machine user. */
  addMachine(): Promise<string>
}

async function openScene(cleanUp: AsyncDisposableStack): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-kill-tokens-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  let running: Running | undefined
  cleanUp.defer(() => void running?.child.kill('SIGKILL'))
  return {
    url,
    dataDir,
    async start() {
      running = await startServerProcess('main', ['start'], { SIGNET_DATA_DIR: dataDir, SIGNET_LISTEN: listen })
      await running.url
      return running
    },
    async addMachine() {
      const machine = { userName: 'robot', name: 'Robot' }
      const { userId } = (await callApi(url, dataDir, 'POST', '/management/v1/users/machine', machine)).body
      const { clientSecret } = (await callApi(url, dataDir, 'POST', `/v2/users/${userId}/secret`, {})).body
      return `Basic ${Buffer.from(`robot:${clientSecret}`).toString('base64')}`
    },
  }
}

/** Gets tokens until the server is gone. `receive` is called with those that arrive complete. */
async function issue(url: string, authorization: string, receive: (token: string) => void): Promise<void> {
  for (;;) {
    try {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'openid profile' })
      const response = await fetch(`${url}/oauth/v2/token`, { method: 'POST', headers: { authorization }, body })
      const { access_token: token } = (await response.json()) as { readonly access_token: string }
      receive(token)
    } catch {
      return
    }
  }
}

async function works(url: string, token: string): Promise<boolean> {
  const response = await fetch(`${url}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status === 200
}

async function countInvalid(url: string, tokens: readonly string[]): Promise<number> {
  let invalid = 0
  for (const token of tokens) if (!(await works(url, token))) invalid++
  return invalid
}

async function killWhileIssuing({ url }: Scene, server: Running, authorization: string): Promise<readonly string[]> {
  const tokens: string[] = []
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const receive = (token: string): void => {
    tokens.push(token)
    resolve()
  }
  const clients = Array.from({ length: CLIENTS }, () => issue(url, authorization, receive))
  // The first one can take longer than the random time: the secret of each client is hashed.
  await Promise.race([first, Promise.all(clients)])
  await sleep(Math.random() * 400)
  server.child.kill('SIGKILL')
  await server.ended
  await Promise.all(clients)
  return tokens
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 8, 100)
  await using cleanUp = new AsyncDisposableStack()
  const scene = await openScene(cleanUp)
  let server = await scene.start()
  const authorization = await scene.addMachine()
  let issued = 0
  let invalid = 0
  for (let round = 1; round <= rounds; round++) {
    const tokens = await killWhileIssuing(scene, server, authorization)
    server = await scene.start()
    invalid += await countInvalid(scene.url, tokens)
    issued += tokens.length
    if (round % 10 === 0) run.say(`${round} kills, ${invalid} of ${issued} tokens invalid`)
  }
  server.child.kill('SIGTERM')
  await server.ended
  return {
    done: `${rounds} × kill -9 of the server while ${CLIENTS} machines get tokens`,
    figure: `${invalid} of ${grouped(issued)} tokens invalid after the restart`,
    figures: { kills: rounds, issued, invalid },
    isMet: invalid === 0 && issued > 0,
  }
}

/** The data folder of before is put back after the kill: as if nothing had been written since. */
async function loseData(): Promise<Caught> {
  await using cleanUp = new AsyncDisposableStack()
  const scene = await openScene(cleanUp)
  const first = await scene.start()
  const authorization = await scene.addMachine()
  first.child.kill('SIGTERM')
  await first.ended
  await cp(scene.dataDir, `${scene.dataDir}-before`, { recursive: true })
  const tokens = await killWhileIssuing(scene, await scene.start(), authorization)
  await rm(scene.dataDir, { recursive: true })
  await cp(`${scene.dataDir}-before`, scene.dataDir, { recursive: true })
  const server = await scene.start()
  const invalid = await countInvalid(scene.url, tokens)
  server.child.kill('SIGTERM')
  await server.ended
  return { figure: `${invalid} of ${grouped(tokens.length)} invalid`, isCaught: invalid > 0 }
}

export const killTokens: Scenario = {
  name: 'kill-tokens',
  title: 'kill -9 while tokens are issued: every token that a machine received works after the restart',
  required: '0 invalid',
  measure,
  control: { what: 'the data folder of before, put back after the kill', run: loseData },
}
