/** Refuses requests whose fields cannot be used, naming all of them at once. */
import { refused } from '../../kernel/refusal.ts'
import { idProblem, lineProblem, nameProblem, paragraphProblem } from './names.ts'
import { type UserRefusal, userRefusals } from './refusals.ts'

/** A field that cannot be used, and the refusal it leads to. */
export interface FieldProblem {
  readonly code: UserRefusal
  readonly field: string
  readonly description: string
}

/** The problem of a field as a list; an empty one when there is no description. */
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

/** Throws unless `userName` can be a user name; `field` is its name in the request. */
export function checkUserName(field: string, userName: string): void {
  refuseProblems(problem('user.username_invalid', field, nameProblem(userName)))
}

/** Throws unless the id that a caller chose can be the id of a user. */
export function checkUserId(userId: string): void {
  refuseProblems(problem('user.field_invalid', 'userId', idProblem(userId)))
}

/** Throws, naming every field, unless these texts can be the name and the description of a machine. */
export function checkMachineTexts(name: string, description: string, prefix = ''): void {
  refuseProblems([
    ...problem('user.field_invalid', `${prefix}name`, lineProblem(name)),
    ...problem('user.field_invalid', `${prefix}description`, paragraphProblem(description)),
  ])
}
