/** Reads the password policy of a realm, which is one text: `length(10) and digits(1) and notUsername(undefined)`. */
import type { PasswordComplexity } from '../../../features/settings/index.ts'

export interface PasswordPolicy {
  readonly complexity: PasswordComplexity
  /** 0: never. */
  readonly maxAgeDays: number
  /** What has no equivalent, as it is written. */
  readonly left: readonly string[]
}

/** What Keycloak asks for when the policy says nothing of it. */
const SHORTEST = 1

/** How a hash is made concerns us no more: each is replaced at the next sign-in. */
const OF_HASHES = new Set(['hashAlgorithm', 'hashIterations'])

export function readPasswordPolicy(text: string): PasswordPolicy {
  const rules = new Map<string, string>()
  for (const rule of text.split(' and ').filter((part) => part.trim() !== '')) {
    const [, name = rule.trim(), value = ''] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(rule) ?? []
    rules.set(name, value)
  }
  const count = (name: string) => {
    const number = Number.parseInt(rules.get(name) ?? '', 10)
    return Number.isFinite(number) ? number : 0
  }
  const left: string[] = []
  for (const [name, value] of rules) {
    if (OF_HASHES.has(name) || name === 'length' || name === 'forceExpiredPasswordChange') continue
    const isClass = ['digits', 'upperCase', 'lowerCase', 'specialChars'].includes(name)
    // One character of a class can be asked for, not several.
    if (!isClass || count(name) > 1) left.push(value === '' || value === 'undefined' ? name : `${name}(${value})`)
  }
  return {
    complexity: {
      minLength: Math.min(Math.max(count('length'), SHORTEST), 200),
      needsUppercase: count('upperCase') > 0,
      needsLowercase: count('lowerCase') > 0,
      needsNumber: count('digits') > 0,
      needsSymbol: count('specialChars') > 0,
    },
    maxAgeDays: count('forceExpiredPasswordChange'),
    left,
  }
}
