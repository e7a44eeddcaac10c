import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openWorld } from '../../../test/support/world.ts'

const v2 = UserService.method

/** A receiver of text messages on this machine, and what it has got. */
async function receive(t: TestContext) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await Array.fromAsync(request)).toString())
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  return { bodies, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms` }
}

for (const engine of engines) {
  test(`a code that is sent to a number proves it, on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(world.dispose)
    const { bodies, endpoint } = await receive(t)
    const { addSMSProviderHTTP, activateSMSProvider } = AdminService.method
    const { id } = await world.call(addSMSProviderHTTP, { endpoint }, world.owner)
    await world.call(activateSMSProvider, { id }, world.owner)

    const codes = async () => {
      await world.runJobs()
      return bodies.map((body) => /\b[2-9A-HJ-NP-Z]{6}\b/.exec(body)?.[0] ?? assert.fail(body))
    }
    const { userId, phoneCode } = await world.call(
      v2.addHumanUser,
      {
        profile: { firstName: 'Sam', lastName: 'Miller' },
        email: { email: 'sam@example.com', verification: { case: 'isVerified', value: true } },
        phone: { phone: '+41791234567' },
      },
      world.owner,
    )
    assert.equal(phoneCode, undefined)
    assert.equal((await codes()).length, 1)
    await world.call(v2.resendPhoneCode, { userId }, world.owner)
    const [first = '', second = ''] = await codes()
    assert.notEqual(first, second)
    assert.ok(bodies.every((body) => body.includes('+41791234567')))
    const verify = (verificationCode: string) => world.call(v2.verifyPhone, { userId, verificationCode }, world.owner)
    await assert.rejects(verify(first), { code: 'verification.code_invalid' })
    await verify(second)
    const { user } = await world.call(v2.getUserByID, { userId }, world.owner)
    assert.ok(user?.type.case === 'human' && user.type.value.phone?.isVerified)
  })
}
