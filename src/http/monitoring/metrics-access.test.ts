import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { documentPage, type PageRequest, textAnswer } from '../page.ts'
import { guardMetrics, type MetricsAccess } from './metrics-access.ts'

const metrics = documentPage(() => textAnswer(200, 'all of them'))

async function ask(access: MetricsAccess, headers: Readonly<Record<string, string>>, peer = '127.0.0.1') {
  const all: Readonly<Record<string, string>> = { host: 'localhost:8080', ...headers }
  const request = { peer, header: (name: string) => all[name], headerNames: Object.keys(all) }
  return guardMetrics(metrics, access).answer(request as unknown as PageRequest)
}

suite('who reads the metrics on the main port', () => {
  const loopback = { access: 'loopback' } as const
  const token = { access: 'token', token: 'a-token-of-some-length' } as const

  test('are programs on this machine, by each of its addresses', async () => {
    for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.1.2.3'])
      assert.equal((await ask(loopback, {}, peer)).status, 200, peer)
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost'])
      assert.equal((await ask(loopback, { host })).status, 200, host)
  })

  test('is nobody else, whatever they say about themselves', async () => {
    for (const peer of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1', ''])
      assert.equal((await ask(loopback, {}, peer)).status, 403, peer)
    assert.equal((await ask(loopback, { 'x-forwarded-for': '127.0.0.1' }, '192.0.2.1')).status, 403)
  })

  test('is no client of a proxy on this machine, whatever it leaves on the request', async () => {
    for (const name of [
      ...['forwarded', 'via', 'x-real-ip', 'x-forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
      ...['x-forwarded-port', 'x-forwarded-server', 'x-forwarded-prefix', 'x-forwarded-anything', 'x-client-ip'],
    ])
      assert.equal((await ask(loopback, { [name]: '' })).status, 403, name)
    assert.equal((await ask(loopback, { host: 'id.example.com' })).status, 403)
    assert.equal((await ask(loopback, { ':authority': 'id.example.com' })).status, 403)
    for (const trustedProxies of [['127.0.0.1'], ['127.0.0.0/8', '::1']])
      for (const peer of ['127.0.0.1', '::ffff:127.0.0.1'])
        assert.equal((await ask({ ...loopback, trustedProxies }, {}, peer)).status, 403, peer)
    assert.equal((await ask({ ...loopback, trustedProxies: ['10.0.0.0/8'] }, {})).status, 200)
  })

  test('is who shows the token, from anywhere, and nobody without it', async () => {
    const bearer = (text: string) => ({ authorization: `Bearer ${text}`, 'x-forwarded-for': '192.0.2.7' })
    assert.equal((await ask(token, bearer(token.token), '192.0.2.1')).status, 200)
    for (const headers of [
      {},
      bearer('another'),
      bearer(''),
      bearer(`${token.token}x`),
      { authorization: token.token },
    ]) {
      const { status, headers: answered, body } = await ask(token, headers)
      assert.equal(status, 401)
      assert.equal(answered?.['www-authenticate'], 'Bearer realm="metrics"')
      assert.ok(!String(body).includes(token.token))
    }
  })
})
