/** Reads options of the contract whose value is a message. */
import {
  create,
  type DescExtension,
  type DescField,
  type DescMethod,
  type DescOneof,
  type ExtensionValueShape,
  mergeFromBinary,
} from '@bufbuild/protobuf'
import { BinaryReader } from '@bufbuild/protobuf/wire'

/**
 * An option of a method, field or oneof; undefined when the contract does not set it. `getOption` of the library returns
 * the same, but describes the option anew in every call, which the start notices: it reads thousands of options.
 */
export function messageOption<Option extends DescExtension>(
  { proto }: DescMethod | DescField | DescOneof,
  option: Option,
): ExtensionValueShape<Option> | undefined {
  const given = proto.options?.$unknown?.filter(({ no }) => no === option.number) ?? []
  const schema = option.message
  if (schema === undefined || given.length === 0) return undefined
  const value = create(schema)
  // The parts of a message that occurs more than once are merged.
  for (const { data } of given) mergeFromBinary(schema, value, new BinaryReader(data).bytes())
  return value as ExtensionValueShape<Option>
}
