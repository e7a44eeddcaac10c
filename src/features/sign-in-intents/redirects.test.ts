import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import { openBoundedCache } from './bounded-cache.ts'
import { redirectProblem, withParameters } from './redirects.ts'

suite('where a browser may be sent', () => {
  const listed = ['https://id.example', 'http://localhost:3000']
  const cases: readonly (readonly [url: string, any: boolean, listed: boolean])[] = [
    ['https://id.example/in?a=b#c', true, true],
    ['https://ID.example:443/in', true, true],
    ['http://localhost:3000/in', true, true],
    ['https://other.example/', true, false],
    ['https://id.example:8443/', true, false],
    ['https://id.example.evil.example/', true, false],
    ['https://sub.id.example/', true, false],
    ['http://id.example/', false, false],
    ['http://localhost:3001/', true, false],
    ['http://127.0.0.1/', true, false],
    ['http://[::1]:3000/', true, false],
    ['http://localhost.evil.example/', false, false],
    ['//id.example/', false, false],
    ['/in', false, false],
    ['https:id.example', false, false],
    ['https:/\\id.example', false, false],
    ['https://id.example\\@evil.example/', false, false],
    ['https://id.example@evil.example/', false, false],
    ['https://a:b@id.example/', false, false],
    [' https://id.example/', false, false],
    ['https://id.example/\n', false, false],
    ['javascript:alert(1)//https://id.example', false, false],
    ['data:text/html,x', false, false],
    ['myapp://id.example/', false, false],
    ['', false, false],
  ]
  for (const [url, isAny, isListed] of cases) {
    test(`${JSON.stringify(url)} ${isListed ? 'is' : isAny ? 'is not among those listed, but' : 'is nowhere'}`, () => {
      assert.equal(redirectProblem(url, 'any') === undefined, isAny)
      assert.equal(redirectProblem(url, listed) === undefined, isListed)
    })
  }

  test('parameters take the place of those of the same name', () => {
    const url = withParameters('https://a.example/in?token=forged&token=again&x=1#f', {
      id: 'i',
      token: 't & u',
      user: undefined,
    })
    assert.equal(url, 'https://a.example/in?token=t+%26+u&x=1&id=i#f')
  })
})

suite('what is remembered of providers', () => {
  test('is forgotten after its time, and beyond the limit the one that was not asked for longest', () => {
    let now = 0
    const cache = openBoundedCache<number>(() => instant(now), 3, 100)
    for (const [index, name] of ['a', 'b', 'c'].entries()) cache.set(name, index)
    cache.get('a')
    cache.set('d', 3)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => cache.get(name)),
      [0, undefined, 2, 3],
    )
    assert.equal(cache.size, 3)
    for (let index = 0; index < 1000; index++) cache.set(`x${index}`, index)
    assert.equal(cache.size, 3)
    now = 99
    assert.equal(cache.get('x999'), 999)
    now = 100
    assert.equal(cache.get('x999'), undefined)
  })
})
