/**
 * Placeholders in texts, `{{.Name}}`: finds them, checks that they are known, and fills them. A value is inserted once
 * and not searched again, so it cannot contain a placeholder. Pure.
 */
const PLACE = /\{\{\s*\.([A-Za-z]+)\s*\}\}/g

/** The placeholders in a text. */
export function placesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([, name = '']) => name)
}

/** Why a text is invalid with these placeholders; undefined when it is valid. */
export function placeProblem(text: string, known: readonly string[]): string | undefined {
  const unknown = placesIn(text).find((name) => !known.includes(name))
  const allowed = known.map((name) => `{{.${name}}}`).join(', ')
  if (unknown !== undefined) return `contains {{.${unknown}}}; allowed are ${allowed}`
  // Remaining braces would be sent as they are, and are usually a mistake.
  return text.replaceAll(PLACE, '').includes('{{')
    ? `contains {{ outside of a placeholder; allowed are ${allowed}`
    : undefined
}

/** Fills the placeholders of a text. A placeholder without a value becomes empty. */
export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
}
