/** Several fields that cannot be used as they are, told all at once. */
import { refused } from '../../kernel/refusal.ts'
import { type UserRefusal, userRefusals } from './refusals.ts'

/** One field, and the code that would tell of it alone. */
export interface FieldProblem {
  readonly code: UserRefusal
  readonly field: string
  readonly description: string
}

/** A problem of this field, if there is one. */
export function problem(code: UserRefusal, field: string, description: string | undefined): readonly FieldProblem[] {
  return description === undefined ? [] : [{ code, field, description }]
}

/** Throws, naming every field, when there are problems; the first one gives the code. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  const violations = problems.map(({ field, description }) => ({ field, description }))
  throw refused(userRefusals, first.code, { violations })
}
