/** Reads a setting that `npm run example` or the environment has set. */
export function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined)
    throw new Error(`${name} is not set: npm run example sets it, unless ISSUER is in the environment`)
  return value
}
