/** Every combination of colors gives pages that can be read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, readableOn, textOn } from './colors.ts'
import { BUILT_IN_THEMES, type Theme, themeOf } from './theme.ts'

const COLORS = ['', '#000', '#fff', '#ffff00', '#777777', '#5469d4', '#ff0000cc', '#0f0', '#123456', '#fedcba'] as const

function assertReadable(theme: Theme, which: string): void {
  const pairs: readonly (readonly [keyof Theme, keyof Theme, number])[] = [
    ['ink', 'paper', 4.5],
    ['ink', 'ground', 4.5],
    ['soft', 'paper', 4.5],
    ['soft', 'ground', 4.5],
    ['soft', 'tint', 4.5],
    ['accent', 'tint', 4.5],
    ['accent', 'paper', 4.5],
    ['onButton', 'button', 4.5],
    ['onButton', 'buttonStrong', 4.5],
    ['wrong', 'paper', 4.5],
    ['wrong', 'wrongTint', 4.5],
    ['fieldLine', 'paper', 3],
  ]
  for (const [text, ground, least] of pairs) {
    const found = contrast(theme[text], theme[ground])
    assert.ok(found >= least, `${which}: ${text} ${theme[text]} on ${ground} ${theme[ground]} has ${found}`)
  }
}

test('contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777', '#777777'), 1)
  assert.ok(Math.abs(contrast('#767676', '#ffffff') - 4.54) < 0.01)
})

test('text on a color is black or white, and can be read', () => {
  assert.equal(textOn('#ffff00'), '#000000')
  assert.equal(textOn('#5469d4'), '#ffffff')
  for (let grey = 0; grey < 256; grey++) {
    const color = `#${grey.toString(16).padStart(2, '0').repeat(3)}`
    assert.ok(contrast(textOn(color), color) >= 4.5, color)
  }
})

test('a color that can be read stays as it is', () => {
  assert.equal(readableOn('#123456', ['#ffffff']), '#123456')
  assert.notEqual(readableOn('#ffff00', ['#ffffff']), '#ffff00')
})

test('the built-in colors can be read, and a brand without colors has them', () => {
  const none = { primaryColor: '', backgroundColor: '', warnColor: '', fontColor: '' }
  for (const scheme of ['light', 'dark'] as const) {
    assertReadable(BUILT_IN_THEMES[scheme], scheme)
    assert.deepEqual(themeOf(none, scheme), BUILT_IN_THEMES[scheme])
  }
})

test('all combinations of colors can be read, light and dark', () => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const primaryColor of COLORS) {
      for (const backgroundColor of COLORS) {
        for (const fontColor of COLORS) {
          for (const warnColor of ['', '#ff0000', '#fff']) {
            const colors = { primaryColor, backgroundColor, warnColor, fontColor }
            assertReadable(themeOf(colors, scheme), `${scheme} ${JSON.stringify(colors)}`)
          }
        }
      }
    }
  }
})
