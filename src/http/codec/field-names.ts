/** The other spellings of a field that the contract declares beside it: other names in JSON, other numbers in binary. */
import { type DescField, getOption, hasOption } from '@bufbuild/protobuf'
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
