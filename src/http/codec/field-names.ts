/**
 * The names in JSON and the numbers in binary messages that a field accepts: its own, and the aliases of the contract.
 */
import { type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { aliases } from '../../../contract/gen/signet/v1/options_pb.ts'

/** An alternative name. The number is 0 when only the name differs. */
export interface FieldAlias {
  readonly name: string
  readonly number: number
  /** Whether the field itself counts when both are given. */
  readonly yields: boolean
  /** Whether existing clients know the field by it. */
  readonly known: boolean
}

/** The declared aliases of a field. */
export function aliasesOf(field: DescField): readonly FieldAlias[] {
  return hasOption(field, aliases) ? getOption(field, aliases) : []
}

/** The JSON name by which existing clients know a field. */
export function knownName(field: DescField): string {
  const alias = aliasesOf(field).find(({ known }) => known)
  return alias === undefined ? field.jsonName : lowerCamelCase(alias.name)
}

/** All JSON names of a field. */
export function spellings(field: DescField): readonly string[] {
  return [field.jsonName, field.name, ...aliasesOf(field).flatMap(({ name }) => [name, lowerCamelCase(name)])]
}

/** The JSON names of a field that count before this one, when both are given. */
export function spellingsBefore(field: DescField, spelling: string): readonly string[] {
  const yields = aliasesOf(field).some(
    ({ name, yields }) => yields && (name === spelling || lowerCamelCase(name) === spelling),
  )
  return yields ? [field.jsonName, field.name] : []
}

function lowerCamelCase(name: string) {
  return name.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The field with this name in JSON or in a URL. */
export function fieldOf(schema: DescMessage, name: string): DescField | undefined {
  return schema.fields.find((field) => spellings(field).includes(name))
}
