/** Guesses at the password of one entry of a directory, which finds it by many spellings of its name. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { openProviderWorld, type ProviderWorld } from '../../../../test/support/parts/providers.ts'
import { BOSS } from '../../../../test/support/provider-scene.ts'
import { isRefused } from '../../../../test/support/small-world.ts'

const INVALID_CREDENTIALS = 49
const ENTRY = Buffer.from('uid=ada,dc=x')

/** The result of a bind (0x61) or of a search (0x65). */
function result(id: number, operation: number, code = 0): Buffer {
  return Buffer.from([0x30, 0x0c, 0x02, 0x01, id, operation, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00])
}

/** An entry without attributes. */
function entry(id: number): Buffer {
  const size = ENTRY.length + 4
  return Buffer.concat([
    Buffer.from([0x30, size + 5, 0x02, 0x01, id, 0x64, size, 0x04, ENTRY.length]),
    ENTRY,
    Buffer.from([0x30, 0x00]),
  ])
}

/** The ID of a request and its operation, behind the header of the message. */
function read(request: Buffer): { readonly id: number; readonly operation: number } {
  const first = request[1] ?? 0
  const begin = first < 0x80 ? 2 : 2 + first - 0x80
  return { id: request[begin + 2] ?? 0, operation: request[begin + 3] ?? 0 }
}

suite('guesses at one entry of a directory', () => {
  let world: ProviderWorld
  let guesses = 0
  // Every search finds the same entry, and every password is wrong, except for the account that searches.
  const directory = createServer((socket) => {
    let binds = 0
    socket.on('error', () => undefined)
    socket.on('data', (request: Buffer) => {
      const { id, operation } = read(request)
      if (operation === 0x63) socket.write(Buffer.concat([entry(id), result(id, 0x65)]))
      if (operation !== 0x60) return
      if (binds++ > 0) guesses++
      socket.write(result(id, 0x61, binds > 1 ? INVALID_CREDENTIALS : 0))
    })
  })

  before(async () => {
    world = await openProviderWorld({ timeoutMilliseconds: 10_000 })
    directory.listen(0, '127.0.0.1')
    await once(directory, 'listening')
  })
  after(async () => {
    directory.close()
    await world.dispose()
  })

  test('are ten in a quarter of an hour, however the name is spelled', async () => {
    const { port } = directory.address() as AddressInfo
    const request = {
      name: 'Directory',
      servers: [`ldap://127.0.0.1:${port}`],
      baseDn: 'dc=x',
      bindDn: 'cn=x',
      bindPassword: 'x',
      userObjectClasses: ['person'],
      userFilters: ['uid'],
      attributes: { idAttribute: 'uid' },
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
    }
    const { id: idpId } = await world.call(ManagementService.method.addLDAPProvider, request, BOSS)
    const guess = (username: string) => {
      const content = { case: 'ldap', value: { username, password: 'wrong' } } as const
      return world.call(UserService.method.startIdentityProviderIntent, { idpId, content }, BOSS)
    }
    const spellings = [
      'a da',
      'a  da',
      'a\tda',
      'a\u00a0da',
      'a\u2003da',
      'A da',
      'a da',
      'a   da',
      'a\u2009da',
      'a\u3000da',
    ]
    for (const name of spellings) await isRefused(guess(name), 'intent.credentials_wrong')
    await isRefused(guess('a \u00a0 da'), 'attempts.too_many')
    assert.equal(guesses, 10)
  })
})
