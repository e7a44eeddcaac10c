import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRequest } from './page.ts'
import { wellKnownPages } from './well-known.ts'

test('browsers are told which pages may ask for passkeys of this domain', async () => {
  const page = wellKnownPages(['https://id.example.com', 'https://login.example.org']).get('/.well-known/webauthn')
  const { status, contentType, body } = (await page?.answer({} as PageRequest)) ?? assert.fail()
  assert.deepEqual([status, contentType], [200, 'application/json'])
  assert.deepEqual(JSON.parse(String(body)), { origins: ['https://id.example.com', 'https://login.example.org'] })
})
