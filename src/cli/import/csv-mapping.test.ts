import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { folderWith } from '../../../test/support/foreign-exports.ts'
import { CSV_PRESETS } from '../../kernel/csv/column-mapping.ts'
import { HeaderRefused, readUsers } from '../../kernel/csv/read-users.ts'
import { createProgram } from '../program.ts'
import { readMapping } from './csv-mapping.ts'
import { CannotImport, type ImportFlags } from './import.ts'

/** The users of a text, with the options of the command. */
async function read(text: string, flags: ImportFlags) {
  const mapping = await readMapping(flags)
  const pieces = (async function* () {
    yield new TextEncoder().encode(text)
  })()
  return await Array.fromAsync(readUsers(pieces, mapping))
}

async function mappingFile(mapping: unknown): Promise<ImportFlags> {
  const folder = await folderWith({ 'mapping.json': mapping })
  return { mapping: join(folder, 'mapping.json') }
}

/** The first lines of files, as the products write them. */
const FILES: Readonly<Record<string, string>> = {
  cognito: `name,given_name,family_name,middle_name,nickname,email,email_verified,locale,phone_number,phone_number_verified,updated_at,cognito:mfa_enabled,cognito:username
Ada Byron,Ada,Byron,,Addie,ada@a.example,true,en,+41791234567,true,1700000000,false,ada`,
  entra: `userPrincipalName,displayName,surname,mail,givenName,id,userType,jobTitle,department,accountEnabled,state
ada@a.example,Ada Byron,Byron,ada@a.example,Ada,9f,Member,Analyst,Research,True,Bern`,
  'google-workspace': `First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Org Unit Path [Required],Status [READ ONLY],Recovery Phone [MUST BE IN THE E.164 FORMAT],Department
Ada,Byron,ada@a.example,****,/Research,Active,+41791234567,Research`,
  okta: `login,firstName,lastName,middleName,email,displayName,nickName,mobilePhone,state,department
ada@a.example,Ada,Byron,,ada@a.example,Ada Byron,Addie,+41791234567,Bern,Research`,
}

suite('a CSV file of another product', () => {
  for (const preset of Object.keys(CSV_PRESETS))
    test(`is read with the preset ${preset}`, async () => {
      const [row, ...others] = await read(FILES[preset] ?? assert.fail('no file'), { preset })
      assert.deepEqual([row?.problems, others], [[], []])
      assert.partialDeepStrictEqual(row?.body, {
        profile: { givenName: 'Ada', familyName: 'Byron' },
        email: { email: 'ada@a.example', isVerified: preset === 'cognito' },
      })
      if (preset !== 'entra') assert.partialDeepStrictEqual(row?.body, { phone: { phone: '+41791234567' } })
    })

  test('is read with a mapping of its own: other names, columns without use, constants and metadata', async () => {
    const flags = await mappingFile({
      columns: { Mail: 'email', 'first NAME': 'given_name', Surname: 'family_name', Notes: null },
      others: 'metadata',
      constants: { email_verified: 'true' },
    })
    const [row] = await read('Mail,First Name,Surname,Notes,Team\na@a.example,Ada,Byron,secret,Blue\n', flags)
    assert.deepEqual(row?.problems, [])
    assert.deepEqual(row?.body, {
      profile: { givenName: 'Ada', familyName: 'Byron' },
      email: { email: 'a@a.example', isVerified: true },
      metadata: [{ key: 'Team', value: 'Qmx1ZQ==' }],
    })
  })

  test('can change what a preset says', async () => {
    const flags = await mappingFile({ columns: { login: null, employeeNumber: 'user_id' } })
    const [row] = await read('login,employeeNumber,firstName,lastName,email\nx,7,Ada,Byron,a@a.example', {
      ...flags,
      preset: 'okta',
    })
    assert.deepEqual([row?.body.username, row?.body.userId], [undefined, '7'])
  })

  test('does not make users active who were not', async () => {
    const suspended = [
      ['entra', /True/, 'False'],
      ['google-workspace', /Active/, 'Suspended'],
    ] as const
    for (const [preset, before, after] of suspended) {
      const [row] = await read((FILES[preset] ?? '').replace(before, after), { preset })
      assert.deepEqual(row?.problems, [{ line: 2, column: 'state', kind: 'state' }])
    }
    const flags = await mappingFile({
      columns: { Mail: 'email', A: 'given_name', B: 'family_name', On: 'state' },
      values: { On: { J: 'active', N: 'inactive' } },
    })
    const rows = await read('Mail,A,B,On\na@a.example,A,B,j\nb@a.example,A,B,N\n', flags)
    assert.deepEqual(
      rows.map(({ problems }) => problems.length),
      [0, 1],
    )
  })

  test('keeps the numbers of its lines, and what is too much in a row is an error', async () => {
    const flags = await mappingFile({ columns: { Mail: 'email', A: 'given_name', B: 'family_name', C: null } })
    const rows = await read('Mail,A,B,C\na@a.example,Ada,Byron,\n\nb@a.example,Bea,Byron,,more\n', flags)
    assert.deepEqual(rows.at(-1)?.problems, [{ line: 4, column: '', kind: 'too_many_cells' }])
  })

  test('with a heading that nobody knows is refused unless the mapping says otherwise', async () => {
    const columns = { Mail: 'email', A: 'given_name', B: 'family_name' }
    const text = 'Mail,A,B,Z\na@a.example,Ada,Byron,z'
    await assert.rejects(read(text, await mappingFile({ columns })), HeaderRefused)
    const [row] = await read(text, await mappingFile({ columns, others: 'ignore' }))
    assert.equal(row?.body.metadata, undefined)
  })

  test('is refused with a mapping that cannot be read, with the place in it', async () => {
    const CASES: readonly (readonly [unknown, RegExp])[] = [
      ['{"columns":', /mapping\.json is not complete/],
      [
        { columns: { Mail: 'mail address' } },
        /mapping\.json: columns\.Mail must be a column of users, and “mail address” is none/,
      ],
      [{ columns: { Mail: 7 } }, /columns\.Mail must be a text/],
      [{ columns: {}, others: 'drop' }, /others must be refuse, ignore or metadata/],
      [{ columns: {}, constants: { x: 'y' } }, /constants\.x must be a column/],
    ]
    for (const [mapping, expected] of CASES)
      await assert.rejects(
        async () => readMapping(await mappingFile(mapping)),
        (error: unknown) => error instanceof CannotImport && expected.test(error.message),
      )
    await assert.rejects(readMapping({ preset: 'toString' }), /--preset must be one of cognito, entra/)
    await assert.rejects(readMapping({ mapping: '/nowhere/m.json' }), /\/nowhere\/m\.json does not exist/)
  })
})

test('signet import csv --help names every preset and every column', () => {
  const importing = createProgram().commands.find((command) => command.name() === 'import')
  const csv = importing?.commands.find((command) => command.name() === 'csv') ?? assert.fail('no command')
  let text = ''
  csv.configureOutput({
    writeOut(part) {
      text += part
    },
  })
  csv.outputHelp()
  for (const name of [...Object.keys(CSV_PRESETS), 'given_name', 'password_hash', 'metadata.', '"others"'])
    assert.ok(text.includes(name), name)
})
