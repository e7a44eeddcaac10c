/** `signet init --start` and `signet stop` as processes: a server for a folder, from nothing to stopped. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))
const create = fileURLToPath(new URL('../../packages/create/bin.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(folder: string, words: readonly string[], env: NodeJS.ProcessEnv = {}, script = main): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { PATH: process.env.PATH, ...env }
    const child = execFile(process.execPath, [script, ...words], { cwd: folder, env: all }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
    child.stdin?.end()
  })
}

suite('the server of a folder', { timeout: 300_000 }, () => {
  const folders: string[] = []
  const folderOf = (): string => {
    const folder = fs.mkdtempSync(join(tmpdir(), 'signet-start-'))
    folders.push(folder)
    return folder
  }
  after(async () => {
    for (const folder of folders) {
      await run(folder, ['stop'])
      fs.rmSync(folder, { recursive: true, force: true })
    }
  })
  const words = ['init', '--start', '--yes', '--json', '--framework', 'express', '--name', 'Shop']
  const isUp = async (url: string) => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true

  test('is started with the app, is the same one later, and ends with its data kept', async () => {
    const folder = folderOf()
    const first = await run(folder, words)
    assert.deepEqual([first.code, first.err], [0, ''])
    const { server, setupUrl, files } = JSON.parse(first.out)
    assert.match(setupUrl, /\/setup\?/)
    assert.deepEqual(files, ['.env', 'app.js'])
    assert.ok(fs.readFileSync(join(folder, '.env'), 'utf8').includes(`ISSUER_BASE_URL=${server}\n`))
    assert.ok(await isUp(server))
    assert.equal(fs.readFileSync(join(folder, '.signet/.gitignore'), 'utf8'), '*\n')
    assert.equal(fs.statSync(join(folder, '.signet')).mode & 0o777, 0o700)

    const again = JSON.parse((await run(folder, words)).out)
    assert.deepEqual([again.changed, again.server, again.setupUrl], [false, server, undefined])
    const stopped = await run(folder, ['stop'])
    assert.deepEqual([stopped.code, stopped.out], [0, 'Stopped. Its data is kept in .signet.\n'])
    assert.ok(!(await isUp(server)))
    assert.equal((await run(folder, ['stop'])).code, 1)

    const third = JSON.parse((await run(folder, words)).out)
    assert.deepEqual([third.changed, third.server], [false, server])
    assert.ok(await isUp(server))
  })

  test('is taken back when the project cannot be written', async () => {
    const folder = folderOf()
    fs.mkdirSync(join(folder, '.env.signet-new'))
    const { code, err } = await run(folder, words)
    assert.equal(code, 1)
    assert.match(err, /Nothing was written/)
    assert.deepEqual(fs.readdirSync(folder), ['.env.signet-new'])
  })

  test('is not started by a wrong flag, with data of another server, or by a command that has none', async () => {
    const folder = folderOf()
    const cases = [
      [await run(folder, [...words, '--url', 'http://localhost:1']), 2, /--start and --url exclude each other/],
      [await run(folder, words, { SIGNET_DATA_DIR: '/nowhere' }), 1, /SIGNET_DATA_DIR is set/],
      [await run(folder, words.slice(1), {}, create), 2, /--start needs the server/],
      [await run(folder, [...words, '--dry-run']), 0, /^$/],
    ] as const
    for (const [{ code, err }, expected, message] of cases) {
      assert.equal(code, expected, err)
      assert.match(err, message)
    }
    assert.deepEqual(fs.readdirSync(folder), [])
  })

  test('is not stopped by a file that a stranger wrote', async () => {
    const folder = folderOf()
    fs.mkdirSync(join(folder, '.signet/data'), { recursive: true })
    fs.writeFileSync(join(folder, '.signet/server.json'), JSON.stringify({ pid: process.pid, port: 1 }))
    fs.writeFileSync(join(folder, '.signet/data/server.lock'), '')
    const { code, out } = await run(folder, ['stop'])
    assert.deepEqual([code, out], [1, `No server of ${fs.realpathSync(folder)} is running.\n`])
  })
})
