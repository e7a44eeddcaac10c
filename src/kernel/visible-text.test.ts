/** Names that hostile people choose, as pages show them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleName, visibleText } from './visible-text.ts'

test('characters that nobody sees are not shown: of control, of direction, without a width', () => {
  assert.equal(visibleText('pay\u202Elap\u202C.example'), 'paylap.example')
  assert.equal(visibleText('No\u200Bde\u2060 Sh\uFEFFop\u0000\n\u2028'), 'Node Shop')
})

test('a letter carries three marks at most, so that no name covers what stands above it', () => {
  assert.equal(visibleText(`Z${'\u0335'.repeat(200)}algo`), `Z${'\u0335'.repeat(3)}algo`)
  for (const name of ['Nguyễn Văn Đức', 'हिन्दी', 'Żółć', 'José']) assert.equal(visibleText(name), name.normalize('NFC'))
})

test('a name written from right to left is isolated from the sentence around it', () => {
  assert.equal(visibleName('متجر  \u202E'), '\u2068متجر\u2069')
  assert.equal(visibleName('  Node\u00A0Shop '), 'Node Shop')
})
