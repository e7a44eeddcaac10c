/** Reads a setting that `set-up.ts` printed. */
export function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: node --env-file=examples/.env …`)
  return value
}
