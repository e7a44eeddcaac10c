/** The offline list of common passwords: about 49 000, most frequent first (origin and licence: common-passwords.license.txt). */
import { readFileSync } from 'node:fs'

let known: ReadonlySet<string> | undefined

function fold(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

function loadCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  return new Set(text.trimEnd().split('\n'))
}

/** Whether this is one of the passwords that attackers try first. Not case-sensitive. */
export function isCommonPassword(password: string): boolean {
  known ??= loadCommonPasswords()
  return known.has(fold(password))
}
