import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { selfSigned } from '../../../test/faults/hostile-support.ts'
import { openCanary } from '../../../test/support/canary.ts'
import { openGuardedFetch } from '../../outbound/fetch.ts'
import type { Resolve } from '../../outbound/lookup.ts'
import { openTokenSearch } from './prove-domain.ts'

const patient = AbortSignal.timeout(60_000)

suite('the proof of a domain on its web server', () => {
  test('is the token alone, in an answer that is good and short', async (t) => {
    const tls = selfSigned()
    const answers = new Map([
      ['/.well-known/signet-challenge/found', [200, ' found\n']],
      ['/.well-known/signet-challenge/other', [200, 'found']],
      ['/.well-known/signet-challenge/moved', [302, 'moved']],
      ['/.well-known/signet-challenge/long', [200, `long${' '.repeat(5000)}`]],
    ] as const)
    const server = createServer(tls, ({ url = '' }, response) => {
      const [status, text] = answers.get(url as '/.well-known/signet-challenge/found') ?? [404, '']
      response.writeHead(status, { location: '/.well-known/signet-challenge/found' }).end(text)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    t.after(() => server.close())
    const fetchOutside = openGuardedFetch({ allowsPrivate: true, ca: tls.cert.toString() })
    const findToken = openTokenSearch({ fetchOutside })
    const domain = `localhost:${(server.address() as AddressInfo).port}`
    for (const token of ['found', 'other', 'moved', 'long', 'nowhere']) {
      assert.equal(await findToken(domain, 'http', token, patient), token === 'found', token)
    }
  })

  test('is not looked for on this machine, whatever the name resolves to and however it is spelled', async (t) => {
    const canary = await openCanary()
    t.after(() => canary.close())
    const resolve: Resolve = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    const look = (host: string, allowsPrivate = false) =>
      openTokenSearch({ fetchOutside: openGuardedFetch({ allowsPrivate, resolve }) })(
        `${host}:${canary.port}`,
        'http',
        'token',
        patient,
      )
    for (const host of [
      'rebound.example',
      '127.0.0.1',
      '0177.1',
      '2130706433',
      '[::ffff:7f00:1]',
      'a@127.0.0.1',
      '[::1]',
      'no name',
    ]) {
      assert.equal(await look(host), false, host)
    }
    assert.equal(canary.connections(), 0)
    // It is when the operator says so.
    assert.equal(await look('rebound.example', true), false)
    assert.equal(canary.connections(), 1)
  })
})
