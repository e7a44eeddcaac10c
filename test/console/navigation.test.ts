/** The navigation of the console: an icon says which area it is only where no other area has it. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PATHS } from '../../console/src/parts/icon-paths.ts'
import { PAGES } from '../../console/src/places/pages.ts'

suite('the navigation', () => {
  test('shows no icon for two areas', () => {
    const icons = PAGES.filter(({ group }) => group !== false).map(({ icon }) => icon)
    assert.deepEqual(
      icons.filter((icon, at) => icons.indexOf(icon) !== at),
      [],
    )
  })

  test('draws no two icons alike', () => {
    const drawings = Object.values(PATHS)
    assert.equal(new Set(drawings).size, drawings.length)
  })
})
