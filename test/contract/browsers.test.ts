/** What a page of another origin needs, and what it must not get. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { startServer } from './server.ts'

suite('browsers', () => {
  test('a preflight of any origin is answered, without credentials', async (context) => {
    const { url } = await startServer(context)
    for (const path of [
      '/management/v1/users/machine',
      '/signet.management.v1.ManagementService/AddMachineUser',
      '/nowhere',
    ]) {
      const response = await fetch(url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      })
      assert.equal(response.status, 204, path)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.equal(response.headers.get('access-control-allow-credentials'), null)
      const allowed = (response.headers.get('access-control-allow-headers') ?? '').split(', ')
      for (const name of [
        'authorization',
        'content-type',
        'x-service-orgid',
        'x-zitadel-orgid',
        'x-grpc-web',
        'connect-protocol-version',
      ]) {
        assert.ok(allowed.includes(name), name)
      }
      assert.match(response.headers.get('access-control-allow-methods') ?? '', /PATCH/)
    }
  })

  test('answers, refusals among them, may be read by any origin', async (context) => {
    const { url } = await startServer(context)
    for (const path of ['/management/v1/users/x', '/nowhere']) {
      const response = await fetch(url + path, { headers: { origin: 'https://app.example' } })
      assert.equal(response.headers.get('access-control-allow-origin'), '*', path)
      assert.match(response.headers.get('access-control-expose-headers') ?? '', /grpc-status, grpc-message/)
    }
    assert.equal((await fetch(`${url}/nowhere`)).headers.get('access-control-allow-origin'), null)
  })

  test('OPTIONS of anybody else names the methods', async (context) => {
    const { url } = await startServer(context)
    const response = await fetch(`${url}/v2/users/x`, { method: 'OPTIONS' })
    assert.deepEqual([response.status, response.headers.get('allow')], [204, 'GET, OPTIONS'])
  })

  test("the browser's own clients are understood", async (context) => {
    const { url: baseUrl } = await startServer(context)
    const headers = { authorization: 'Bearer good' }
    for (const useBinaryFormat of [true, false]) {
      for (const transport of [
        createConnectTransport({ baseUrl, useBinaryFormat }),
        createGrpcWebTransport({ baseUrl, useBinaryFormat }),
      ]) {
        const client = createClient(ManagementService, transport)
        assert.equal((await client.addMachineUser({ userName: 'u', name: 'n' }, { headers })).userId, 'id-of-u')
        await assert.rejects(client.getUserByID({ id: 'nobody' }, { headers }), /The user does not exist/)
      }
    }
  })
})
