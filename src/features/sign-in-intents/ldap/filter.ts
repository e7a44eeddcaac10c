/** The filter that searches one user in a directory. What the user typed is only ever a value in it. Pure. */

/**
 * A value in a filter (RFC 4515 §3): every ASCII character that is no letter, digit, space or harmless sign is escaped. The
 * others stay as they are: the library reads escaped bytes as characters of their own.
 */
function escapedValue(value: string): string {
  const escaped = (sign: string) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
  return value.replaceAll(/[\x00-\x7f]/g, (sign) => (/[A-Za-z0-9@._ -]/.test(sign) ? sign : escaped(sign)))
}

/** Entries that have all classes, and the name in one of the attributes. */
export function userFilter(
  {
    userObjectClasses,
    userFilters,
  }: {
    readonly userObjectClasses: readonly string[]
    readonly userFilters: readonly string[]
  },
  userName: string,
): string {
  const classes = userObjectClasses.map((name) => `(objectClass=${escapedValue(name)})`)
  const names = userFilters.map((attribute) => `(${attribute}=${escapedValue(userName)})`)
  return `(&${classes.join('')}(|${names.join('')}))`
}
