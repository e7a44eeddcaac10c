/**
 * Service providers of other languages sign users in and out, where their packages are installed. Each is a program that
 * prints its metadata, and then reads one message per line and prints one.
 */
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { pemOf } from '../../src/crypto/certificate.ts'
import { engines } from '../support/engines.ts'
import { type Browser, type OpenIdWorld, openOpenIdWorld, type Stop } from '../support/openid-world.ts'
import { inflated } from '../support/saml-messages.ts'
import { addProvider, formOf, readResponse, SP_CERTIFICATE, SP_KEY } from '../support/saml-world.ts'

type Program = { readonly command: readonly [string, ...string[]] } | { readonly missing: string }

/** A message on its way by the browser: an address, or a form. */
interface Sent {
  readonly url: string
  readonly fields?: Readonly<Record<string, string>>
}

interface Conversation {
  metadata: [undefined, { readonly metadata: string }]
  signOn: [{ readonly relayState: string }, Sent]
  read: [Sent, { readonly nameId: string; readonly attributes: Readonly<Record<string, readonly string[]>> }]
  logOut: [object, Sent]
  finish: [Sent, { readonly isLoggedOut: boolean }]
  answer: [Sent, Sent & { readonly isLoggedOut: boolean }]
}

const folder = mkdtempSync(join(tmpdir(), 'signet-saml-'))
after(() => rmSync(folder, { recursive: true }))

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../support/${name}`, import.meta.url))
}

function python(module: string, name: string, file: string): Program {
  const { status } = spawnSync('python3', ['-c', `import ${module}`], { stdio: 'ignore' })
  if (status !== 0) return { missing: `python3 has no package ${name} here` }
  return { command: ['python3', pathOf(file)] }
}

function pysaml2(): Program {
  if (spawnSync('xmlsec1', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return { missing: 'pysaml2 needs the program xmlsec1, which is not here' }
  }
  return python('saml2.client', 'pysaml2', 'saml_pysaml2.py')
}

function crewjam(): Program {
  const program = join(folder, 'provider')
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' }
  const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd: pathOf('saml-go'), env, stdio: 'ignore' })
  if (status !== 0) return { missing: 'go has no module crewjam/saml here: go mod download in test/support/saml-go' }
  return { command: [program] }
}

const PROGRAMS = [
  ['pysaml2', pysaml2()],
  ['python3-saml', python('onelogin.saml2.auth', 'python3-saml', 'saml_python3_saml.py')],
  ['crewjam/saml', crewjam()],
] as const

/** A program that runs. */
class Running {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  #said = ''

  constructor([program, ...words]: readonly [string, ...string[]], settings: object) {
    this.#child = spawn(program, [...words, JSON.stringify(settings)])
    this.#child.stderr.on('data', (text: Buffer) => {
      this.#said += text.toString()
    })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  async ask<Name extends keyof Conversation>(
    name: Name,
    message: Conversation[Name][0],
  ): Promise<Conversation[Name][1]> {
    if (message !== undefined) this.#child.stdin.write(`${JSON.stringify({ do: name, ...message })}\n`)
    const { value, done } = await this.#lines.next()
    assert.ok(done !== true, `${name}: ${this.#said}`)
    return JSON.parse(value) as Conversation[Name][1]
  }

  end(): void {
    this.#child.stdin.end()
    this.#child.kill()
  }
}

for (const engine of engines) {
  suite(`service providers of other languages on ${engine.name}`, () => {
    let world: OpenIdWorld
    let userId: string
    const files = { keyFile: join(folder, 'key.pem'), certificateFile: join(folder, 'certificate.pem') }

    before(async () => {
      world = await openOpenIdWorld({ engine })
      userId = await world.addPerson('ada')
      writeFileSync(files.keyFile, SP_KEY)
      writeFileSync(files.certificateFile, pemOf(SP_CERTIFICATE))
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** Starts a program and adds it as an application, by the metadata that it wrote itself. */
    const open = async (name: string, command: readonly [string, ...string[]]) => {
      const entityId = `https://${name.replace(/\W/g, '-')}.example`
      const identityProvider = `${world.url}/saml/v2/metadata`
      const metadata = await (await fetch(identityProvider)).text()
      const running = new Running(command, { entityId, identityProvider, metadata, ...files })
      const own = await running.ask('metadata', undefined)
      const value = { metadata: { case: 'metadataXml', value: Buffer.from(own.metadata) } }
      const applicationType = { case: 'samlConfiguration', value }
      const message = { projectId: await world.addProject(), name, applicationType } as never
      await world.call(ApplicationService.method.createApplication, message, world.owner)
      return { entityId, running }
    }
    const go = (browser: Browser, { url, fields }: Sent) =>
      fields === undefined ? browser.open(url) : browser.submit(url, new URLSearchParams(fields))
    const arrivedAt = (page: Stop): Sent => {
      if (!page.url.startsWith(world.url)) return { url: page.url }
      const { action, fields } = formOf(page)
      return { url: action, fields }
    }

    for (const [name, program] of PROGRAMS) {
      const skip = 'missing' in program && program.missing
      test(`${name} signs a user in and out, and learns of logouts`, { skip }, async () => {
        const { entityId, running } = await open(name, 'command' in program ? program.command : ['false'])
        try {
          const browser = world.browser()
          const asked = await go(browser, await running.ask('signOn', { relayState: 'the-state' }))
          const response = arrivedAt(await world.signIn(browser, asked, 'ada'))
          assert.equal(response.url, `${entityId}/acs`)
          assert.equal(response.fields?.RelayState, 'the-state')
          const xml = Buffer.from(response.fields?.SAMLResponse ?? '', 'base64').toString()
          // The metadata of the Go module have a key, but no cipher that is safe.
          assert.equal(xml.includes('EncryptedAssertion'), name !== 'crewjam/saml')
          const { nameId, attributes } = await running.ask('read', response)
          assert.equal(nameId, userId)
          assert.deepEqual(attributes.UserName, ['ada'])

          const answer = arrivedAt(await go(browser, await running.ask('logOut', {})))
          assert.ok(answer.url.startsWith(`${entityId}/slo`), answer.url)
          assert.equal((await running.ask('finish', answer)).isLoggedOut, true)
          const again = await go(browser, await running.ask('signOn', { relayState: '' }))
          assert.match(again.url, /\/ui\/login/)

          // Now the other way: the session ends here, and the service provider learns of it.
          await running.ask('read', arrivedAt(await world.signIn(browser, again, 'ada')))
          const another = await addProvider(world)
          const { profile } = await readResponse(another, await browser.open(await another.signOnUrl()))
          const told = arrivedAt(await browser.open(await another.sp.getLogoutUrlAsync(profile, '', {})))
          assert.ok(told.url.startsWith(`${entityId}/slo`), told.url)
          const { isLoggedOut, ...followed } = await running.ask('answer', told)
          assert.equal(isLoggedOut, true)
          const done = new URL((await go(browser, followed)).url)
          assert.equal(`${done.origin}${done.pathname}`, `${another.entityId}/slo`)
          const said = inflated(done.searchParams.get('SAMLResponse') ?? '')
          assert.match(said, /status:Success/)
          assert.doesNotMatch(said, /PartialLogout/)
        } finally {
          running.end()
        }
      })
    }
  })
}
