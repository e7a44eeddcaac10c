import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { readCell, writeCell } from './csv-cell.ts'
import { CsvReader, type CsvRecord } from './csv-reader.ts'
import { HeaderRefused, linesForImport, previewUsers, readUsers } from './read-users.ts'
import { exportColumns, USER_COLUMNS, type UserBody, writeHeader, writeRow } from './user-columns.ts'

function read(...pieces: readonly string[]): readonly CsvRecord[] {
  const reader = new CsvReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

function cellsOf(text: string): readonly (readonly string[])[] {
  return read(text).map(({ cells }) => cells)
}

async function* bytesOf(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
}

const HEADER = 'given_name,family_name,email'

suite('CSV', () => {
  test('quotes keep separators, line breaks and quotes, whatever ends the lines', () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.deepEqual(cellsOf(`a,b${end}"1,2","x${end}y ""z"""${end}${end},${end}last,`), [
        ['a', 'b'],
        ['1,2', `x${end}y "z"`],
        ['last', ''],
      ])
  })

  test('the separator is the one of the first line, and a byte order mark is no part of it', () => {
    assert.deepEqual(cellsOf('\ufeff"a,b,c";b\n1,5;2'), [
      ['a,b,c', 'b'],
      ['1,5', '2'],
    ])
    assert.deepEqual(cellsOf('a\tb\n1,5\t2;3'), [
      ['a', 'b'],
      ['1,5', '2;3'],
    ])
  })

  test('each record knows the line on which it begins', () => {
    const lines = read('h\r\n\r\n"a\r\nb"\r\nc\n\n"d\n\ne"\nf').map(({ line }) => line)
    assert.deepEqual(lines, [1, 3, 5, 7, 10])
  })

  test('is read alike however its text is cut into pieces', () => {
    const text = '\ufeffa;b\r\n"1;\r\n""2""";x\r\n\r\ny;"z"\r\n"";""\rlast;"\r\n"'
    const whole = read(text)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length]
        assert.deepEqual(read(...places.slice(1).map((end, index) => text.slice(places[index], end))), whole)
      }),
    )
  })

  test('a quote that is never closed is told with its line, and does not take the whole file into memory', () => {
    assert.deepEqual(read('a\nb\n"c\nd').at(-1), { line: 3, cells: ['c\nd'], problem: 'unclosed_quote' })
    assert.equal(read('a\n"b"c\nd')[1]?.problem, 'text_after_quote')
    const reader = new CsvReader()
    reader.push('a\n"')
    const records = Array.from({ length: 100 }, () => reader.push('x'.repeat(100_000))).flat()
    assert.deepEqual([records.length, records[0]?.problem, reader.end().length], [1, 'unclosed_quote', 0])
  })

  test('no cell of an export begins as a formula does, and reading gives the value back', () => {
    for (const text of ['=1+1', '+41791234567', '-2', '@x', '\tx', "'=1", "''+1"])
      assert.match(writeCell(text), /^"?'/, text)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', 'a', ' ')),
        (parts) => {
          const text = parts.join('')
          const written = writeCell(text)
          assert.doesNotMatch(written.replace(/^"/, ''), /^[=+\-@\t\r\n]/)
          const [record] = read(`h,i\n${written},x`).slice(1)
          assert.equal(readCell(record?.cells[0] ?? ''), text)
        },
      ),
    )
  })
})

suite('a CSV file of users', () => {
  const user: UserBody = {
    userId: '1',
    organization: { orgId: '2' },
    username: 'ada',
    profile: { givenName: 'Ada "A."', familyName: '=cmd()', preferredLanguage: 'en' },
    email: { email: 'ada@example.com', isVerified: true },
    phone: { phone: '+41791234567', isVerified: false },
    state: 'active',
    metadata: [
      { key: 'department', value: Buffer.from('Maß,\n"x"').toString('base64') },
      { key: 'raw', value: Buffer.from([255, 254]).toString('base64') },
      { key: 'odd', value: Buffer.from('base64:no').toString('base64') },
    ],
  }

  test('what is exported is imported as it was, except the state, which an import does not set', async () => {
    const columns = exportColumns(['raw', 'department', 'odd'])
    const text = writeHeader(columns) + writeRow(columns, user)
    const rows = await Array.fromAsync(readUsers(bytesOf(text)))
    const { state: _, metadata, ...rest } = user
    assert.ok(rows[0])
    const { metadata: read, ...body } = rows[0].body as UserBody & { metadata: readonly { key: string }[] }
    assert.deepEqual(body, rest)
    assert.deepEqual(
      [...read].sort((a, b) => (a.key < b.key ? -1 : 1)),
      [...(metadata as readonly { key: string }[])].sort((a, b) => (a.key < b.key ? -1 : 1)),
    )
    assert.deepEqual(rows[0]?.problems, [])
  })

  test('every column is documented', () => {
    const page = readFileSync(new URL('../../../docs/how-to/import-users.md', import.meta.url), 'utf8')
    const missing = USER_COLUMNS.filter(({ name }) => !page.includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })

  test('no secret is written', () => {
    const columns = exportColumns()
    assert.doesNotMatch(writeHeader(columns), /password/)
    assert.doesNotMatch(writeRow(columns, { ...user, hashedPassword: { hash: 'secret' } }), /secret/)
  })

  test('every wrong cell is told with its line and column before anything is sent', async () => {
    const text = [
      'Given name;Last-Name;E-Mail;email_verified;state'.replace('E-Mail', 'EMAIL'),
      'Ada;Lovelace;ada@example.com;yes;active',
      ';Hopper;grace;maybe;locked',
      '"Multi\nline";B;b@example.com;;',
      'a;b;c@example.com;;;more',
    ].join('\r\n')
    const { rows, wrongRows, problems, first } = await previewUsers(bytesOf(text))
    assert.deepEqual([rows, wrongRows, first.length], [4, 2, 2])
    assert.deepEqual(
      problems.map(({ line, column, kind }) => `${line} ${column} ${kind}`),
      ['3 given_name required', '3 email email', '3 email_verified flag', '3 state state', '6  too_many_cells'],
    )
    const lines = (await Array.fromAsync(linesForImport(bytesOf(text)))).join('').split('\n')
    const at = (line: number) => JSON.parse(lines[line - 1] ?? '').profile.givenName
    assert.deepEqual([lines[0], at(2), lines[2], at(4)], ['', 'Ada', '', 'Multi\nline'])
  })

  test('an unverified address is not mailed to', async () => {
    const [row] = await Array.fromAsync(readUsers(bytesOf(`${HEADER}\nA,B,a@example.com\n`)))
    assert.deepEqual(row?.body, {
      profile: { givenName: 'A', familyName: 'B' },
      email: { email: 'a@example.com', isVerified: false },
    })
  })

  test('a first line without the needed columns, or with unknown ones, refuses the file', async () => {
    const refusal = async (text: string | Uint8Array) => {
      const error = await previewUsers(bytesOf(text)).catch((thrown: unknown) => thrown)
      assert.ok(error instanceof HeaderRefused)
      return error.problems.map(({ column, kind }) => `${column} ${kind}`)
    }
    assert.deepEqual(await refusal('given_name,email,emial,email\n'), [
      'emial unknown_column',
      'email repeated_column',
      'family_name missing_column',
    ])
    assert.deepEqual(await refusal(''), [' empty_file'])
    assert.deepEqual(await refusal(Buffer.from(`${HEADER}\nJürg,B,a@b.c`, 'latin1')), [' not_utf8'])
  })

  test('a file of 100,000 users is read without holding them', async () => {
    async function* pieces() {
      yield* bytesOf(`${HEADER}\n`)
      for (let part = 0; part < 1000; part++)
        yield* bytesOf(Array.from({ length: 100 }, (_, index) => `G,F,u${part * 100 + index}@example.com\n`).join(''))
    }
    const { rows, wrongRows } = await previewUsers(pieces())
    assert.deepEqual([rows, wrongRows], [100_000, 0])
  })
})
