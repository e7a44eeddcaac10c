import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openRestRouter } from './rest-router.ts'

function openFinder(...routes: readonly string[]) {
  return openRestRouter(
    routes.map((route) => {
      const [verb = '', template = ''] = route.split(' ')
      return { verb, template, target: route }
    }),
  )
}

suite('the REST router', () => {
  test('finds fixed and named segments, the fixed ones first', () => {
    const find = openFinder('GET /users/{id}', 'GET /users/me', 'GET /users/{id}/keys/{key_id}', 'POST /users/me/keys')
    assert.deepEqual(find('GET', '/users/me'), { target: 'GET /users/me', values: [] })
    assert.deepEqual(find('GET', '/users/you'), { target: 'GET /users/{id}', values: ['you'] })
    assert.deepEqual(find('GET', '/users/you/keys/k'), {
      target: 'GET /users/{id}/keys/{key_id}',
      values: ['you', 'k'],
    })
  })

  test('a segment that is fixed in one route is not the value of a name in another', () => {
    const find = openFinder('POST /users/_search', 'GET /users/{id}', 'DELETE /users/{id}', 'GET /users/{id}/keys')
    assert.deepEqual(find('GET', '/users/_search'), { allowed: ['POST'] })
    assert.deepEqual(find('DELETE', '/users/_search'), { allowed: ['POST'] })
    assert.equal(find('GET', '/users/_search/keys'), undefined)
    assert.deepEqual(find('GET', '/users/%5Fsearch'), { target: 'GET /users/{id}', values: ['%5Fsearch'] })
  })

  test('tells an unknown path from a known one with another method', () => {
    const find = openFinder('GET /a/{x}', 'PUT /a/b', 'DELETE /a/{x}')
    assert.deepEqual(find('POST', '/a/b'), { allowed: ['PUT'] })
    assert.deepEqual(find('POST', '/a/c'), { allowed: ['DELETE', 'GET'] })
    assert.equal(find('GET', '/a'), undefined)
    assert.equal(find('GET', '/a/'), undefined)
    assert.equal(find('GET', 'a/b'), undefined)
    assert.equal(find('GET', '/__proto__/constructor'), undefined)
  })

  test('refuses, when it is built, two methods on one path and templates that it does not know', () => {
    assert.throws(() => openFinder('GET /a/{x}', 'GET /a/{y}'), /two methods are bound to GET \/a\/\{y\}/)
    for (const template of ['a', '/a/', '/{x=**}', '/a:verb', '/{x}y', '/']) {
      assert.throws(() => openFinder(`GET ${template}`), /cannot serve the path/, template)
    }
  })
})
