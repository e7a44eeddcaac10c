/** The REST paths that the contract gives a method: read here alone, so that what is described is what is served. */
import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf'
import { http } from '../../../contract/gen/google/api/annotations_pb.ts'

/** One path of a method. */
export interface RestRule {
  /** In capitals, as it travels. */
  readonly verb: string
  /** `/v2/users/{user_id}` */
  readonly template: string
  /** `*`: every field that the path does not name is in the body; empty: in the query; else the name of that field. */
  readonly body: string
}

/** All paths of a method, the one that new callers use first; throws when a rule of the contract names none. */
export function restRulesOf(method: DescMethod): readonly RestRule[] {
  if (!hasOption(method, http)) return []
  const rule = getOption(method, http)
  return [rule, ...rule.additionalBindings].map(({ pattern, body }) => {
    if (pattern.case === undefined) throw new Error(`${method.parent.typeName}/${method.name} is bound to no path`)
    return { verb: pattern.case.toUpperCase(), template: pattern.value, body }
  })
}
