/** Numbers with a noun in Polish, which has three forms: 1 kod, 2 kody, 5 kodów. Pure. */

const rules = new Intl.PluralRules('pl')

/** The number and the form of the noun that goes with it. */
export function counted(count: number, one: string, few: string, many: string): string {
  const form = rules.select(count)
  return `${count} ${form === 'one' ? one : form === 'few' ? few : many}`
}
