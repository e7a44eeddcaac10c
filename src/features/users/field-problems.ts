/** Refuses requests with invalid fields, and names all of them at once. */
import { idProblem } from '../../kernel/chosen-id.ts'
import { refused } from '../../kernel/refusal.ts'
import { lineProblem, nameProblem, paragraphProblem } from './names.ts'
import { type UserRefusal, userRefusals } from './refusals.ts'

/** An invalid field, and the refusal for it. */
export interface FieldProblem {
  readonly code: UserRefusal
  readonly field: string
  readonly description: string
}

/** The problem of a field as a list; an empty one when there is no description. */
export function problem(code: UserRefusal, field: string, description: string | undefined): readonly FieldProblem[] {
  return description === undefined ? [] : [{ code, field, description }]
}

/** Throws when there are problems, and names all fields. The first problem sets the code. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  const violations = problems.map(({ field, description }) => ({ field, description }))
  throw refused(userRefusals, first.code, { violations })
}

/** Throws unless `userName` is a valid username; `field` is its name in the request. */
export function checkUserName(field: string, userName: string): void {
  refuseProblems(problem('user.username_invalid', field, nameProblem(userName)))
}

function machineTextProblems(name: string, description: string, prefix: string): readonly FieldProblem[] {
  return [
    ...problem('user.field_invalid', `${prefix}name`, lineProblem(name)),
    ...problem('user.field_invalid', `${prefix}description`, paragraphProblem(description)),
  ]
}

/** The texts of a new machine user as the caller wrote them. */
export interface GivenMachine {
  /** Chosen by the caller; otherwise generated. */
  readonly userId?: string | undefined
  /** Defaults to the ID where the request allows it. */
  readonly userName: string | undefined
  readonly name: string
  readonly description: string
}

/** Throws, and names all fields, unless a machine user can be added with these texts. */
export function checkNewMachine(
  { userId, userName, name, description }: GivenMachine,
  fields: { readonly userName: 'username' | 'userName'; readonly prefix: string },
): void {
  refuseProblems([
    ...problem('user.field_invalid', 'userId', userId === undefined ? undefined : idProblem('user', userId)),
    ...problem('user.username_invalid', fields.userName, userName === undefined ? undefined : nameProblem(userName)),
    ...machineTextProblems(name, description, fields.prefix),
  ])
}

/** Throws, and names all fields, unless these are a valid name and description of a machine user. */
export function checkMachineTexts(name: string, description: string, prefix = ''): void {
  refuseProblems(machineTextProblems(name, description, prefix))
}
