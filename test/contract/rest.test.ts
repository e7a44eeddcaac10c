/** REST as the descriptors bind it: where fields come from, and what is said when there is nothing to be found. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { echoMethods } from './sample.ts'
import { sampleMethods, startServer, type TestServer } from './server.ts'

suite('REST', () => {
  let server: TestServer
  before(async () => {
    server = await startServer(undefined, [...sampleMethods, ...echoMethods])
  })
  after(() => server.close())

  const send = async (verb: string, path: string, body?: string | object, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method: verb,
      headers: {
        authorization: 'Bearer good',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  test('a path parameter is decoded and wins over the body', async () => {
    const { body } = await send('PUT', '/management/v1/users/a%2Fb%20%C3%BC/machine', { userId: 'body', name: 'n' })
    assert.equal(body.details.resourceOwner, 'a/b ü|n')
    const replaced = await send('PUT', '/v2/samples/path', { right: { text: 'body' } })
    assert.deepEqual(replaced.body, { left: 'path' })
  })

  test('fields that neither path nor body carries come from the query', async () => {
    const { body } = await send('GET', '/management/v1/users/_is_unique?user_name=%C3%BC&email=a%2Bb@c.d&unknown=1')
    assert.deepEqual(body, { isUnique: true })
    const query = [
      'texts=a&texts=b&numbers=1&small=-5&large=9007199254740993&flag=true&color=COLOR_RED&part.part.small_unsigned=7',
      'ratio=1.5&raw=-_8&at=2026-01-31T12:00:00Z&lasts=3s&maybe=x&right.text=y&perhaps=&part.color=1',
    ].join('&')
    assert.deepEqual((await send('GET', `/v2/samples/t?${query}`)).body, {
      text: 't',
      texts: ['a', 'b'],
      numbers: [1],
      small: -5,
      large: '9007199254740993',
      flag: true,
      color: 'COLOR_RED',
      part: { part: { smallUnsigned: 7 }, color: 'COLOR_RED' },
      ratio: 1.5,
      raw: '+/8=',
      at: '2026-01-31T12:00:00Z',
      lasts: '3s',
      maybe: 'x',
      right: { text: 'y' },
      perhaps: '',
    })
  })

  test('what the query says wrongly is named', async () => {
    const { status, body } = await send(
      'GET',
      '/v2/samples/t?small=x&flag=1&part.small=1&part.small=2&left=a&right.text=b',
    )
    assert.equal(status, 400)
    assert.deepEqual(
      body.details[1].fieldViolations.map(({ field }: { field: string }) => field),
      ['small', 'flag', 'part.small', 'right.text'],
    )
  })

  test('a field of the query is named as the caller wrote it', async () => {
    for (const name of ['part.part.small_unsigned', 'part.part.smallUnsigned']) {
      const { status, body } = await send('GET', `/v2/samples/t?${name}=x`)
      assert.equal(status, 400)
      assert.equal(body.details[1].fieldViolations[0].field, name)
    }
  })

  test('a body may be one field of the message, beside path and query', async () => {
    const { body } = await send('PATCH', '/v2/samples/inner/parts/4?texts=q', { flag: true, text: 'body' })
    assert.deepEqual(body, { small: 4, texts: ['q'], part: { flag: true, text: 'inner' } })
    assert.equal((await send('PATCH', '/v2/samples/inner/parts/four', {})).status, 400)
  })

  test('a body may be empty where every field is optional', async () => {
    assert.deepEqual((await send('POST', '/v2/samples')).body, {})
    const { status, body } = await send('POST', '/management/v1/users/machine')
    assert.equal(status, 400)
    assert.equal(body.details[1].fieldViolations.length, 2)
  })

  test('success has the status that the contract declares', async () => {
    assert.equal((await send('POST', '/v2/organizations', { name: 'n' })).status, 201)
    assert.equal((await send('POST', '/v2/samples', {})).status, 200)
  })

  test('an unknown path is 404 and a known one with another method 405, in the shape of the contract', async () => {
    for (const path of ['/', '/v2', '/v2/samples/', '//v2/samples', '/v2/samples/a/b/c', '/signet.x.v1.Y/Z']) {
      const { status, body } = await send('GET', path)
      assert.deepEqual([status, body.code, body.details[0].id], [404, 5, 'route.unknown'], path)
    }
    const { status, headers, body } = await send('POST', '/v2/samples/x', {})
    assert.deepEqual([status, headers.get('allow'), body.code], [405, 'DELETE, GET, PUT', 12])
    const procedure = await send('GET', '/signet.management.v1.ManagementService/AddMachineUser')
    assert.deepEqual([procedure.status, procedure.headers.get('allow')], [405, 'POST'])
  })

  test('a fixed segment goes before a named one, and both can be reached', async () => {
    const fixed = await send('GET', '/management/v1/users/_is_unique')
    assert.deepEqual(fixed.body, {})
    // A fixed segment is no id; a user who is called so is reached with an escape.
    const literal = await send('GET', '/management/v1/users/machine')
    assert.deepEqual([literal.status, literal.headers.get('allow')], [405, 'POST'])
    assert.equal((await send('GET', '/management/v1/users/%6Dachine')).body.user.id, 'machine')
  })

  test('any other content type is 415 with the list of those served', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml']) {
      const { status, headers, body } = await send('POST', '/v2/samples', '{}', { 'content-type': type })
      assert.deepEqual([status, headers.get('accept-post'), body.code], [415, 'application/json', 3], type)
    }
    const foreign = await send('POST', '/v2/samples', '{}', { 'content-type': 'application/json; charset=utf-16' })
    assert.equal(foreign.status, 415)
    const known = await send('POST', '/v2/samples', '{}', { 'content-type': 'Application/JSON; charset="UTF-8"' })
    assert.equal(known.status, 200)
    const path = '/signet.management.v1.ManagementService/AddMachineUser'
    const procedure = await send('POST', path, '{}', { 'content-type': 'text/plain' })
    assert.equal(procedure.status, 415)
    assert.match(
      procedure.headers.get('accept-post') ?? '',
      /application\/json, application\/proto, application\/grpc,/,
    )
  })

  test('a body without a content type is 415', async () => {
    const response = await fetch(`${server.url}/v2/samples`, {
      method: 'POST',
      headers: { authorization: 'Bearer good' },
      body: new Blob(['{}']),
    })
    assert.equal(response.status, 415)
  })

  test('HEAD is GET without the body', async () => {
    const { status, headers, body } = await send('HEAD', '/v2/samples/x')
    assert.deepEqual([status, headers.get('content-length'), body], [200, '12', undefined])
  })

  test('every answer is marked: request id, not to be stored, not to be sniffed', async () => {
    for (const path of ['/v2/samples/x', '/nowhere']) {
      const { headers } = await send('GET', path)
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
    const own = await send('GET', '/nowhere', undefined, { 'x-request-id': 'trace-12345' })
    assert.equal(own.headers.get('x-request-id'), 'trace-12345')
    const bad = await send('GET', '/nowhere', undefined, { 'x-request-id': 'a b' })
    assert.notEqual(bad.headers.get('x-request-id'), 'a b')
  })

  test('unknown fields are ignored, and named in a header of bounded length', async () => {
    const named = async (body: object | undefined, path = '/signet.sample.v2.SampleService/Echo', verb = 'POST') =>
      (await send(verb, path, body)).headers.get('signet-unknown-fields')
    assert.equal(await named({}), null)
    assert.equal(await named({ nmae: 'x', 'a\r\nb: c': 1 }), 'nmae, a??b??c')
    assert.equal(await named(undefined, '/v2/samples/x?nmae=1', 'GET'), 'nmae')
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${'x'.repeat(300)}${index}`, 1]))
    const all = (await named(many)) ?? ''
    assert.equal(all.split(', ').length, 11)
    assert.ok(all.length < 1100 && all.endsWith(', ...'), all)
  })

  test('a deprecated method says so and links to its replacement (RFC 9745)', async () => {
    for (const sent of [
      await send('DELETE', '/v2/samples/x'),
      await send('POST', '/signet.sample.v2.SampleService/Remove', {}),
      await send('DELETE', '/v2/samples/x', undefined, { authorization: 'Bearer bad' }),
    ]) {
      assert.match(sent.headers.get('deprecation') ?? '', /^@\d+$/)
      assert.equal(sent.headers.get('link'), '</signet.sample.v2.SampleService/Make>; rel="successor-version"')
    }
  })

  test('401 asks for a bearer and 429 says when to come back', async () => {
    const unknown = await send('GET', '/v2/users/x', undefined, { authorization: '' })
    assert.deepEqual([unknown.status, unknown.headers.get('www-authenticate')], [401, 'Bearer'])
    const busy = await send('POST', '/management/v1/users/machine', { userName: 'busy', name: 'n' })
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '7'])
  })

  test('who is not let in does not learn what is wrong with the message', async () => {
    const { status } = await send('POST', '/v2/samples', '{', { authorization: 'Bearer weak' })
    assert.equal(status, 403)
  })

  test('a large answer is compressed for those who accept it, a compressed request is understood', async () => {
    const { gzipSync } = await import('node:zlib')
    const big = { texts: Array.from({ length: 1000 }, () => 'again and again') }
    const response = await fetch(`${server.url}/v2/samples`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(big)),
    })
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(await response.json(), big)
    const plain = await fetch(`${server.url}/v2/samples`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json', 'accept-encoding': 'gzip;q=0, br' },
      body: JSON.stringify(big),
    })
    assert.equal(plain.headers.get('content-encoding'), null)
    const unknown = await send('POST', '/v2/samples', '{}', { 'content-encoding': 'br' })
    assert.deepEqual([unknown.status, unknown.headers.get('accept-encoding')], [415, 'gzip, identity'])
  })
})
