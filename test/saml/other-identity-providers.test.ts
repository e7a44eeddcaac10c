/** An identity provider of another language signs users in, where its package is installed. */
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SAMLBinding } from '../../contract/gen/signet/idp/v1/config_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { pemOf } from '../../src/crypto/certificate.ts'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { SP_CERTIFICATE, SP_KEY } from '../support/saml-world.ts'

const ENTITY = 'https://python.example'
const URLS = { successUrl: 'http://localhost/in', failureUrl: 'http://localhost/no' }
const IDENTITY = {
  givenName: ['Ada'],
  sn: ['King'],
  mail: ['ada@corp.example'],
  uid: ['ada'],
  displayName: ['Ada King'],
}

const hasXmlsec = spawnSync('xmlsec1', ['--version'], { stdio: 'ignore' }).status === 0
const hasPysaml2 = spawnSync('python3', ['-c', 'import saml2.server'], { stdio: 'ignore' }).status === 0
const missing = hasPysaml2
  ? 'pysaml2 needs the program xmlsec1, which is not here'
  : 'python3 has no package pysaml2 here'
const skip = (!hasXmlsec || !hasPysaml2) && missing

const folder = mkdtempSync(join(tmpdir(), 'signet-saml-'))
after(() => rmSync(folder, { recursive: true }))

for (const engine of engines) {
  suite(`an identity provider of pysaml2 on ${engine.name}`, { skip }, () => {
    let world: OpenIdWorld
    let child: ChildProcessWithoutNullStreams
    let lines: AsyncIterator<string>
    let metadata: string
    let said = ''
    let count = 0

    const read = async () => {
      const { value, done } = await lines.next()
      assert.ok(done !== true, said)
      return JSON.parse(value)
    }
    before(async () => {
      world = await openOpenIdWorld({ engine })
      const files = { keyFile: join(folder, 'key.pem'), certificateFile: join(folder, 'certificate.pem') }
      writeFileSync(files.keyFile, SP_KEY)
      writeFileSync(files.certificateFile, pemOf(SP_CERTIFICATE))
      const program = fileURLToPath(new URL('../support/saml_pysaml2_idp.py', import.meta.url))
      child = spawn('python3', [program, JSON.stringify({ entityId: ENTITY, ...files })])
      child.stderr.on('data', (text: Buffer) => {
        said += text.toString()
      })
      lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      metadata = (await read()).metadata
    })
    after(async () => {
      child.kill()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    for (const [name, binding] of [
      ['an address', SAMLBinding.SAML_BINDING_REDIRECT],
      ['a form', SAMLBinding.SAML_BINDING_POST],
    ] as const) {
      for (const [signs, signed] of [
        ['the assertion', { signsAssertion: true, signsResponse: false }],
        ['the response', { signsAssertion: false, signsResponse: true }],
        ['both', { signsAssertion: true, signsResponse: true }],
      ] as const) {
        test(`is asked by ${name} and signs ${signs}: the user is added`, async () => {
          const given = {
            name: `Python ${++count}`,
            metadata: { case: 'metadataXml', value: Buffer.from(metadata) },
            binding,
            providerOptions: { isCreationAllowed: true, isAutoCreation: true },
          }
          const { id: idpId } = await world.call(AdminService.method.addSAMLProvider, given as never, world.owner)
          const own = await (await fetch(`${world.url}/idps/${idpId}/saml/metadata`)).text()
          const message = { idpId, content: { case: 'urls', value: URLS } }
          const { nextStep } = await world.call(
            UserService.method.startIdentityProviderIntent,
            message as never,
            world.owner,
          )
          assert.ok(nextStep.case === 'authUrl' || nextStep.case === 'formData')
          const asked = nextStep.case === 'authUrl' ? { url: nextStep.value } : { fields: nextStep.value.fields }
          const identity = { ...IDENTITY, uid: [`ada${count}`], mail: [`ada${count}@corp.example`] }
          child.stdin.write(
            `${JSON.stringify({ metadata: own, identity, userId: `ada${count}`, ...asked, ...signed })}\n`,
          )
          const { page } = (await read()) as { page: string }
          const action = /<form action="([^"]*)"/.exec(page)?.[1] ?? assert.fail(page)
          const fields = [...page.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, field = '', value = '']) => [
            field,
            value,
          ])
          const body = new URLSearchParams(Object.fromEntries(fields))
          const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' })
          const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '', world.url)
          assert.equal(pathname, '/in', `${answer.status} ${await answer.text()}`)
          const userId = searchParams.get('user') ?? ''
          const { user } = await world.call(UserService.method.getUserByID, { userId }, world.owner)
          assert.ok(user?.type.case === 'human')
          const { profile, email } = user.type.value
          assert.deepEqual([profile?.givenName, profile?.familyName, profile?.displayName], ['Ada', 'King', 'Ada King'])
          // SAML does not say who has verified an address.
          assert.deepEqual([email?.email, email?.isVerified], [identity.mail[0], false])
        })
      }
    }
  })
}
