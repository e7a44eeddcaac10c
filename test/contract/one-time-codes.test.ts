/** Second factors that are typed, over REST, as existing clients write it, and in imports. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { oneTimeCodes } from '../../src/features/one-time-codes/index.ts'
import { openScene, person, type Scene } from './import-scene.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

async function ask({ port, world }: Scene, verb: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: verb,
    headers: {
      authorization: `Bearer ${world.owner.bearer}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function addPerson(scene: Scene, name: string): Promise<string> {
  const email = { email: `${name}@example.com`, isVerified: true }
  const profile = { givenName: 'Ada', familyName: 'Lovelace' }
  return (await ask(scene, 'POST', '/v2/users/human', { username: name, profile, email })).body.userId
}

suite('second factors over REST', () => {
  test('an app is verified at both addresses of it, in every version of the path', async (t) => {
    const scene = await openScene(t)
    for (const [start, verify] of [
      ['v2', 'verify'],
      ['v2', '_verify'],
      ['v2beta', 'verify'],
      ['v2alpha', '_verify'],
    ]) {
      const user = `/${start}/users/${await addPerson(scene, `${start}${verify}`)}`
      const { body, status } = await ask(scene, 'POST', `${user}/totp`, {})
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body).sort(), ['details', 'secret', 'uri'])
      const wrong = await ask(scene, 'POST', `${user}/totp/${verify}`, { code: 'wrong' })
      assert.equal(wrong.status, 400)
      assert.equal(wrong.body.code, 3)
      const code = totpCode(body.secret, totpStep(scene.world.clock.now))
      const verified = await ask(scene, 'POST', `${user}/totp/${verify}`, { code })
      assert.equal(verified.status, 200)
      assert.deepEqual(Object.keys(verified.body), ['details'])
      const again = await ask(scene, 'POST', `${user}/totp`, {})
      assert.equal(again.status, 409)
      assert.equal((await ask(scene, 'DELETE', `${user}/totp`)).status, 200)
      assert.equal((await ask(scene, 'DELETE', `${user}/totp`)).status, 404)
    }
  })

  test('the list is narrowed by the query', async (t) => {
    const scene = await openScene(t)
    const user = `/v2/users/${await addPerson(scene, 'listed')}`
    await ask(scene, 'POST', `${user}/totp`, {})
    assert.equal((await ask(scene, 'POST', `${user}/otp_sms`, {})).body.code, 9)
    assert.equal((await ask(scene, 'POST', `${user}/otp_email`, {})).status, 200)
    const list = async (query: string) =>
      (await ask(scene, 'POST', `${user}/authentication_factors/_search${query}`)).body
    assert.deepEqual(await list(''), { result: [{ state: 'AUTH_FACTOR_STATE_READY', otpEmail: {} }] })
    assert.deepEqual(await list('?states=AUTH_FACTOR_STATE_NOT_READY&authFactors=OTP'), {
      result: [{ state: 'AUTH_FACTOR_STATE_NOT_READY', otp: {} }],
    })
    assert.deepEqual(await list('?authFactors=U2F'), {})
  })

  test('recovery codes are asked for by number', async (t) => {
    const scene = await openScene(t)
    const user = `/v2/users/${await addPerson(scene, 'recovering')}`
    const { body } = await ask(scene, 'POST', `${user}/recovery_codes`, { count: 3 })
    assert.equal(body.recoveryCodes.length, 3)
    const none = await ask(scene, 'POST', `${user}/recovery_codes`, {})
    assert.equal(none.status, 400)
    assert.equal((await ask(scene, 'DELETE', `${user}/recovery_codes`)).status, 200)
  })

  test('an import brings apps along, and names the field of one that cannot be', async (t) => {
    const scene = await openScene(t)
    const lines = [person('anna', { totpSecret: SECRET }), person('bert', { totpSecret: 'not base32!' })]
    const { results } = await scene.send(lines.join('\n'))
    const [anna, bert] = results
    assert.equal(anna?.status, 'created')
    assert.equal((await scene.world.store.get(oneTimeCodes, anna?.userId ?? ''))?.state.totp?.status, 'ready')
    assert.equal(bert?.error?.id, 'user.totp_secret_invalid')
    assert.deepEqual(
      bert?.error?.violations?.map(({ field }) => field),
      ['totpSecret'],
    )
    assert.deepEqual(scene.faults, [])
  })
})
