import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { endpointProblem, issuerProblem, scopeProblem } from './addresses.ts'

suite('an issuer', () => {
  test('is an https URL, or an http URL on this machine', () => {
    for (const good of [
      'https://accounts.example',
      'https://accounts.example/',
      'https://accounts.example:8443/realms/one',
      'https://xn--bcher-kva.example',
      'http://localhost:8080',
      'http://op.localhost:8080/x',
      'http://127.0.0.1:3000',
      'http://127.8.9.10',
      'http://[::1]:3000',
    ]) {
      assert.equal(issuerProblem(good), undefined, good)
    }
    for (const bad of [
      '',
      'accounts.example',
      'accounts.example/path',
      'http://accounts.example',
      'http://127.0.0.1.example',
      'http://localhost.example',
      'http://127.evil.example',
      'http://10.0.0.1',
      'http://[::ffff:127.0.0.1]',
      'http://[::2]',
      'ftp://accounts.example',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'https:accounts.example',
      'https:/accounts.example',
      'https:///accounts.example',
      'HTTPS://accounts.example',
      'https://',
      ' https://accounts.example',
      'https://accounts.example ',
      'https://accounts.example\n',
      'https://acc ounts.example',
      'https://accounts.example\\@evil.example',
      'https://b\u00fccher.example',
      'https://user@accounts.example',
      'https://user:secret@accounts.example',
      'https://accounts.example?tenant=1',
      'https://accounts.example/?',
      'https://accounts.example#x',
      'https://accounts.example#',
      'https://accounts.example:99999',
    ]) {
      assert.notEqual(issuerProblem(bad), undefined, bad)
    }
  })
})

suite('an endpoint', () => {
  test('may have a query but no fragment', () => {
    assert.equal(endpointProblem('https://op.example/authorize?a=b'), undefined)
    assert.notEqual(endpointProblem('https://op.example/authorize#a'), undefined)
    assert.notEqual(endpointProblem('http://op.example/authorize'), undefined)
  })
})

suite('a scope', () => {
  test('is printable ASCII (RFC 6749 §3.3)', () => {
    for (const good of ['openid', 'https://graph.example/User.Read', 'openid profile', '']) {
      assert.equal(scopeProblem(good), undefined, good)
    }
    for (const bad of ['a"b', 'a\\b', 'a\nb', 'é', 'a\tb']) assert.notEqual(scopeProblem(bad), undefined, bad)
  })
})
