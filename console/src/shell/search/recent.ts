/**
 * What the user opened with the search, the last one first. Names of people are personal data: they are kept as long as the
 * tab is open, and for the user who opened them.
 */
import type { Found } from './found.ts'

const KEPT = 6

function keyOf(userId: string): string {
  return `signet.recent.${userId}`
}

function isFound(value: unknown): value is Found {
  const { key, group, label, detail, icon, to } = (value ?? {}) as Partial<Found>
  return [key, group, label, detail, icon, to].every((text) => typeof text === 'string')
}

/** What the user opened last. */
export function readRecent(userId: string): readonly Found[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isFound) : []
  } catch {
    return []
  }
}

/** Puts something at the first place. */
export function rememberRecent(userId: string, found: Found): void {
  const others = readRecent(userId).filter(({ key }) => key !== found.key)
  sessionStorage.setItem(keyOf(userId), JSON.stringify([found, ...others].slice(0, KEPT)))
}
