/**
 * Runs the commands of README, guides and how-tos, page by page and block by block, as a reader would: in one folder, with
 * the Node of the machine in the shell, beside a server that really runs. A call that is refused fails the block.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { startServerProcess } from '../support/server-process.ts'
import { type ShellBlock, shellBlocks } from '../support/shell-blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What is read in one shell, in the order of reading: a guide uses what the guides before it have set. */
const shells: Readonly<Record<string, readonly string[]>> = {
  README: ['README.md'],
  'the examples': ['examples/README.md'],
  'the guides': [
    'docs/guides/protect-a-web-app.md',
    'docs/guides/protect-an-api.md',
    'docs/guides/server-kit.md',
    'docs/guides/test-your-app.md',
    'docs/guides/ask-for-approval.md',
    'docs/guides/machine-to-machine.md',
    'docs/guides/groups.md',
    'docs/guides/directory-sync.md',
    'docs/guides/build-your-own-sign-in-page.md',
    'docs/guides/let-agents-act-for-users.md',
    'docs/guides/follow-events.md',
    'docs/guides/actions.md',
    'docs/guides/webhooks.md',
    'docs/guides/shared-signals.md',
    'docs/guides/saml.md',
    'docs/guides/terraform.md',
  ],
  'how to sign people in': ['docs/how-to/sign-people-in.md'],
  'how to sign in with other providers': ['docs/how-to/sign-in-with-other-providers.md'],
  'how to import users': ['docs/how-to/import-users.md'],
  'how to move from other products': [
    'docs/guides/move-from-zitadel.md',
    'docs/guides/move-from-keycloak.md',
    'docs/guides/move-from-auth0.md',
    'docs/guides/leave-or-return.md',
  ],
  'how to protect an MCP server': ['docs/how-to/protect-an-mcp-server.md'],
  'high assurance': ['docs/how-to/high-assurance.md'],
  'how to send text messages': ['docs/how-to/receive-sms-webhooks.md'],
  'how to set up mail': ['docs/how-to/set-up-mail.md'],
  'how to back up and move': ['docs/how-to/back-up-and-move.md'],
  'how to install and run in production': ['docs/how-to/install.md', 'docs/how-to/run-in-production.md'],
  'how to observe': ['docs/how-to/observe.md', 'docs/how-to/audit.md', 'docs/reference/alerts.md'],
  'how to measure and to test': [
    'docs/how-to/measure-speed.md',
    'docs/how-to/test-faults.md',
    'docs/how-to/search-for-leaks.md',
  ],
}

/** What a page promises that its commands print. */
const promises: Readonly<Record<string, readonly RegExp[]>> = {
  README: [/"username":\s*"robot"/, /bob@example\.com/, /"sessionToken"/],
  'the guides': [
    /"active":\s*true/,
    /"auth_req_id":/,
    /"externalId":\s*"4711"/,
    /200 \{"photos":\["lake\.jpg","mountain\.jpg"\],"caller":\{"sub":"\d+","how":"introspection"\}\}/,
    /location: http:\/\/localhost:3003\/login\?authRequest=V2_/i,
    /"callbackUrl":\s*"http:\/\/localhost:3000\/callback\?code=/,
    /^\d{4}-\S+Z \d+ user\.human_added\.v1 user \d+/m,
    /^event: heartbeat$/m,
  ],
  'how to sign people in': [/"sessionToken"/],
  'how to protect an MCP server': [
    /www-authenticate: Bearer resource_metadata="http:\/\/localhost:\d+\/\.well-known\/oauth-protected-resource\/mcp"/i,
    /"text":"added"/,
    /"signet:write"/,
  ],
  'how to import users': [/2 users can be imported, 0 rows/, /2 created/, /"status":\s*"exists"/],
}

function blocksOf(page: string): readonly ShellBlock[] {
  return shellBlocks(page, fs.readFileSync(join(root, page), 'utf8'))
}

/** A checkout after `npm ci`, with data and examples of its own. */
function makeCheckout(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'signet-documentation-'))
  for (const name of ['package.json', 'node_modules', 'bin', 'src'])
    fs.symlinkSync(join(root, name), join(folder, name))
  fs.cpSync(join(root, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (file) => !file.endsWith('.env'),
  })
  fs.mkdirSync(join(folder, 'home'))
  // Without it, curl is content with any answer.
  fs.writeFileSync(join(folder, 'home', '.curlrc'), 'fail-with-body\nshow-error\n')
  return folder
}

/** The shell of a reader: `node` is the one of the machine, `signet` the one of the checkout. */
function environmentOf(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SIGNET_|NODE_|npm_)/.test(name))
  const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.endsWith('node_modules/.bin'))
  return {
    ...Object.fromEntries(inherited),
    PATH: [join(folder, 'bin'), ...path].join(delimiter),
    HOME: join(folder, 'home'),
    CURL_HOME: join(folder, 'home'),
    npm_config_update_notifier: 'false',
  }
}

/** The commands of one block, in the background if they continue, and where we are for the one that fails. */
function scriptOf({ place, commands, keepsRunning }: ShellBlock): string {
  const lines = [`echo '${place}' > .place`]
  // `set -e` overlooks a first command that fails in `first && second`.
  if (keepsRunning === undefined) return [...lines, commands, 'test $? -eq 0'].join('\n')
  return [
    ...lines,
    `{\n${commands}\n} &`,
    `until curl --silent --no-fail-with-body --output /dev/null ${keepsRunning} 2> .waiting; do kill -0 $!; sleep 0.2; done`,
  ].join('\n')
}

/** Runs a script and, when it has ended, everything that it left running. */
async function runScript(script: string, folder: string, env: NodeJS.ProcessEnv) {
  const output = join(folder, '.output')
  const file = fs.openSync(output, 'w')
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${script}\n`], {
    cwd: folder,
    env,
    stdio: ['ignore', file, file],
    // The leader of its group, so that all of it can be ended.
    detached: true,
  })
  const kill = () => {
    try {
      process.kill(-(shell.pid as number), 'SIGKILL')
    } catch {
      // Nothing was left.
    }
  }
  process.once('exit', kill)
  const code = await new Promise((resolve) => shell.on('exit', (code, signal) => resolve(code ?? signal)))
  kill()
  process.off('exit', kill)
  fs.closeSync(file)
  return { code, output: fs.readFileSync(output, 'utf8') }
}

/** Programs that readers need as well. In CI they are there. */
function withoutPrograms(): string | false {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const missing = ['bash', 'curl', 'jq', 'openssl', 'npm'].filter(
    (name) => !folders.some((folder) => fs.existsSync(join(folder, name))),
  )
  return missing.length > 0 && process.env.CI !== 'true' && `there is no ${missing.join(', ')} on this machine`
}

suite('the documentation', { timeout: 600_000, skip: withoutPrograms() }, () => {
  const folder = makeCheckout()
  const env = environmentOf(folder)
  const addresses = new Map<string, string>()
  let stop = async () => {}

  before(async () => {
    const url = `http://localhost:${await freePort()}`
    const server = await startServerProcess('main', ['start'], {
      SIGNET_LISTEN: url.replace('http://localhost', '127.0.0.1'),
      SIGNET_EXTERNAL_URL: url,
      SIGNET_DATA_DIR: join(folder, 'data'),
    })
    stop = async () => {
      server.child.kill()
      await server.ended
    }
    await server.url
    for (const name of ['https://id.example.com', 'https://signet.example.org']) addresses.set(name, url)
    addresses.set('localhost:8080', url.replace('http://', ''))
    env.SIGNET_URL = url
    for (const [name, port] of Object.entries({ WEB_APP: 3000, SPA: 3001, API: 3002, MCP: 3004 })) {
      env[name] = `http://localhost:${await freePort()}`
      addresses.set(`keeps running: http://localhost:${port}`, env[name])
    }
  })

  after(async () => {
    await stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  test('has no page with commands that is not run here', () => {
    const pages = fs.globSync(['*.md', '{docs,deploy}/**/*.md', '{console,examples}/*.md'], {
      cwd: root,
      // The lines of frameworks are run, in empty folders, by test/adoption.
      exclude: ['docs/dist/**', 'docs/reference/frameworks.md'],
    })
    const withCommands = pages.filter((page) => blocksOf(page).length > 0)
    assert.deepEqual(withCommands.toSorted(), Object.values(shells).flat().toSorted())
  })

  test('runs no program with the Node of the machine, which may be too old', () => {
    const withNode = Object.values(shells)
      .flat()
      .flatMap(blocksOf)
      .filter(({ commands }) => /^\s*(\w+=\S* )*node /m.test(commands))
    assert.deepEqual(
      withNode.map(({ place }) => place),
      [],
    )
  })

  for (const [name, pages] of Object.entries(shells)) {
    test(`works as it says: ${name}`, async (t) => {
      const blocks = pages.flatMap(blocksOf)
      for (const { place, notRun } of blocks) if (notRun !== undefined) t.diagnostic(`${place} not run: ${notRun}`)
      const located = (text: string) =>
        [...addresses].reduce((located, [shown, real]) => located.replaceAll(shown, real), text)
      const script = blocks
        .filter(({ notRun }) => notRun === undefined)
        .map((block) => ({ ...block, commands: located(block.commands) }))
        .map((block) => ({
          ...block,
          keepsRunning: block.keepsRunning && addresses.get(`keeps running: ${block.keepsRunning}`),
        }))
        .map(scriptOf)
      const { code, output } = await runScript(script.join('\n\n'), folder, env)
      const place = code === 0 ? name : fs.readFileSync(join(folder, '.place'), 'utf8').trim()
      assert.equal(code, 0, `${place} ended with ${code}:\n${output.slice(-3000)}`)
      for (const promise of promises[name] ?? []) assert.match(output, promise)
    })
  }

  test('is right that examples need no preparation, also after the data of the server were removed', async () => {
    const settings = join(folder, 'examples', '.env')
    fs.writeFileSync(settings, fs.readFileSync(settings, 'utf8').replace(/PROJECT_ID=.*/, 'PROJECT_ID=1'))
    const stale = await runScript(
      'npm run example api & until grep -q API: .output; do kill -0 $!; sleep 0.2; done',
      folder,
      env,
    )
    assert.equal(stale.code, 0, stale.output)
    assert.doesNotMatch(fs.readFileSync(settings, 'utf8'), /PROJECT_ID=1$/m)
    const unknown = await runScript('npm run example unknown', folder, env)
    assert.equal(unknown.code, 2)
    assert.match(unknown.output, /web-app, single-page-app, api, machine, mcp-server/)
  })

  test('leaves no secret where other users of the machine can read it', () => {
    const secrets = ['examples/.env', 'photo-sync.json', 'users.ndjson', 'backup.key']
    const modes = secrets.map((file) => [file, (fs.statSync(join(folder, file)).mode & 0o777).toString(8)])
    assert.deepEqual(Object.fromEntries(modes), Object.fromEntries(secrets.map((file) => [file, '600'])))
  })
})
