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
    assert.deepEqual(find('GET', '/users/me/keys/k'), {
      target: 'GET /users/{id}/keys/{key_id}',
      values: ['me', 'k'],
    })
  })

  test('goes back to a named segment when the fixed one leads nowhere', () => {
    const find = openFinder('GET /a/b/c', 'GET /a/{x}/d', 'GET /{y}/b/e', 'PUT /a/b/d')
    assert.deepEqual(find('GET', '/a/b/d'), { target: 'GET /a/{x}/d', values: ['b'] })
    assert.deepEqual(find('GET', '/a/b/e'), { target: 'GET /{y}/b/e', values: ['a'] })
  })

  test('tells an unknown path from a known one with another method', () => {
    const find = openFinder('GET /a/{x}', 'PUT /a/b', 'DELETE /a/{x}')
    assert.deepEqual(find('POST', '/a/b'), { allowed: ['DELETE', 'GET', 'PUT'] })
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
