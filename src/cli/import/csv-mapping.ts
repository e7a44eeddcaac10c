/** `--preset` and `--mapping`: what the columns of a CSV file of another product mean. */
import { basename } from 'node:path'
import { type ColumnMapping, CSV_PRESETS } from '../../kernel/csv/column-mapping.ts'
import { columnOf } from '../../kernel/csv/user-columns.ts'
import { CannotImport, type ImportFlags } from './import.ts'
import { Members } from './json/members.ts'
import { readJson } from './json/read-json.ts'

function presetOf(name: string): ColumnMapping {
  const preset = Object.hasOwn(CSV_PRESETS, name) ? CSV_PRESETS[name] : undefined
  if (preset !== undefined) return preset
  throw new CannotImport(`--preset must be one of ${Object.keys(CSV_PRESETS).join(', ')}.`)
}

function requireColumn(members: Members, name: string, column: string): string {
  if (columnOf(column) === undefined) throw members.wrong(name, `a column of users, and “${column}” is none`)
  return column
}

async function readFile(file: string): Promise<ColumnMapping> {
  const read: Record<string, unknown> = {}
  for await (const { member, value } of readJson(file, () => false)) read[member] = value
  const mapping = new Members(basename(file), '', read)
  const [columns, constants] = [mapping.inner('columns'), mapping.inner('constants')]
  const others = mapping.maybeText('others') ?? 'refuse'
  if (others !== 'refuse' && others !== 'ignore' && others !== 'metadata')
    throw mapping.wrong('others', 'refuse, ignore or metadata')
  const columnFor = (heading: string) =>
    columns.has(heading) ? requireColumn(columns, heading, columns.text(heading)) : null
  const values = mapping.inner('values')
  const valuesFor = (heading: string) => {
    const inner = values.inner(heading)
    return Object.fromEntries(inner.names().map((value) => [value, inner.text(value)]))
  }
  const constantFor = (name: string) => {
    requireColumn(constants, name, name)
    return constants.text(name)
  }
  return {
    columns: Object.fromEntries(columns.names().map((heading) => [heading, columnFor(heading)])),
    others,
    values: Object.fromEntries(values.names().map((heading) => [heading, valuesFor(heading)])),
    constants: Object.fromEntries(constants.names().map((name) => [name, constantFor(name)])),
  }
}

/** The mapping that the options name; that of a file comes before that of a preset. Undefined when there is none. */
export async function readMapping({ preset, mapping }: ImportFlags): Promise<ColumnMapping | undefined> {
  const built = preset === undefined ? undefined : presetOf(preset)
  if (mapping === undefined) return built
  const given = await readFile(mapping)
  if (built === undefined) return given
  return {
    ...built,
    columns: { ...built.columns, ...given.columns },
    values: { ...built.values, ...given.values },
    constants: given.constants ?? {},
  }
}
