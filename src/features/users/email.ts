/**
 * What may be the e-mail address of a person: what mail servers read alike, and nothing beyond ASCII. An international
 * domain comes as its A-labels, so that no two addresses look the same and none becomes another one when it is folded.
 */
import { isEmailAddress } from '../../kernel/email-address.ts'

/** Why `text` cannot be the e-mail address of a person, for whoever typed it; undefined when it can. */
export function emailProblem(text: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(text)) return 'must be an ASCII email address; write international domains as xn--…'
  return isEmailAddress(text) ? undefined : 'must be an email address'
}
