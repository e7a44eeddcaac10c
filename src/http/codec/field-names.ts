/** Under which names in JSON and numbers in binary a field may arrive: its own, and those that the contract declares. */
import { type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { aliases } from '../../../contract/gen/signet/v1/options_pb.ts'

/** One other spelling; number 0 when only the name differs. */
export interface FieldAlias {
  readonly name: string
  readonly number: number
}

/** The declared aliases of a field. */
export function aliasesOf(field: DescField): readonly FieldAlias[] {
  return hasOption(field, aliases) ? getOption(field, aliases) : []
}

/** Every name of a field in JSON. */
export function spellings(field: DescField): readonly string[] {
  return [field.jsonName, field.name, ...aliasesOf(field).flatMap(({ name }) => [name, lowerCamelCase(name)])]
}

function lowerCamelCase(name: string) {
  return name.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The field that a name in JSON or in a URL means. */
export function fieldOf(schema: DescMessage, name: string): DescField | undefined {
  return schema.fields.find((field) => spellings(field).includes(name))
}
