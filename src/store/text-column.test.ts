import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { searchText } from '../kernel/fold-text.ts'
import type { InsideText } from './query/inside-texts.ts'
import { TextColumn } from './text-column.ts'

// Few characters of one to four bytes, so that texts contain each other and continue in the next one.
const text = fc.array(fc.constantFrom('a', 'b', 'é', '😀'), { maxLength: 5 }).map((letters) => letters.join(''))

function columnOf(texts: readonly (string | null)[], rowsOfSegment: number): TextColumn {
  const column = new TextColumn()
  const ids = texts.map((_, row) => `ü${row}`)
  for (let row = 0; row < texts.length; row += rowsOfSegment) {
    const end = row + rowsOfSegment
    column.add({ ids: ids.slice(row, end), texts: texts.slice(row, end) })
  }
  return column
}

function meets(text: string | null, { sought, where, next }: InsideText): boolean {
  if (text === null) return false
  if (where === 'at the end') return text.endsWith(sought)
  if (next === undefined) return text.includes(sought)
  return text
    .split(sought)
    .slice(1)
    .some((_, index, parts) => {
      const rest = parts.slice(index).join(sought)
      return rest.startsWith(next) || (rest.codePointAt(0) ?? 0) > 0x7f
    })
}

suite('a column of texts', () => {
  test('finds the documents whose text meets a condition, and no others', async () => {
    const condition: fc.Arbitrary<InsideText> = fc.record({
      field: fc.constant('name'),
      sought: text.filter((sought) => sought !== ''),
      where: fc.constantFrom('anywhere', 'at the end'),
    })
    const texts = fc.array(fc.option(text), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), condition, async (all, rows, asked) => {
        const found = await columnOf(all, rows).find(asked, 40)
        const expected = all.flatMap((one, row) => (meets(one, asked) ? [`ü${row}`] : []))
        assert.deepEqual([...(found ?? [])].sort(), expected.sort())
      }),
    )
  })

  test('heeds what has to be behind the text', async () => {
    const texts = ['anna', 'an', 'and', 'anñ', 'and ann', 'añn', 'ban', 'né']
    const found = await columnOf(texts, 3).find({ field: 'name', sought: 'an', where: 'anywhere', next: 'n' }, 40)
    assert.deepEqual([...(found ?? [])].sort(), ['ü0', 'ü3', 'ü4'])
    assert.ok(
      texts.every(
        (one, row) => meets(one, { field: '', sought: 'an', where: 'anywhere', next: 'n' }) === found?.has(`ü${row}`),
      ),
    )
  })

  test('finds a text that was cut behind what is sought', async () => {
    const sought = { field: 'name', sought: 'an', where: 'anywhere', next: 'n' } as const
    const cut = searchText(`${'x'.repeat(298)}an${'n'.repeat(400)}`)
    assert.equal((await columnOf([cut, 'an'], 1).find(sought, 40))?.has('ü0'), true)
    assert.deepEqual([...((await columnOf(['an'], 1).find(sought, 40)) ?? [])], [])
  })

  test('gives up when more documents match than are wanted', async () => {
    const column = columnOf(['a', 'ab', 'abc', 'b'], 2)
    assert.equal((await column.find({ field: 'name', sought: 'a', where: 'anywhere' }, 3))?.size, 3)
    assert.equal(await column.find({ field: 'name', sought: 'a', where: 'anywhere' }, 2), undefined)
  })
})
