/**
 * Links in messages: to our own pages, or by a template that the caller of the API gave, `https://…?code={{.Code}}`.
 * Values are percent-encoded, and none can stand in the origin, so a link never leads elsewhere than it seems to. Pure.
 */
import { fillPlaces, placeProblem } from './placeholders.ts'

/** A link that was made here, and so leads to our own origin or to where a checked template says. */
export type Link = string & { readonly __brand: 'Link' }

/** What a template for a code sent by mail may name. */
export const CODE_VARIABLES = ['Code', 'UserID', 'OrgID'] as const
/** What a template for a link to register a passkey may name. */
export const PASSKEY_VARIABLES = ['UserID', 'OrgID', 'CodeID', 'Code'] as const
/** What a template for a one-time code may name. */
export const ONE_TIME_CODE_VARIABLES = [
  'Code',
  'UserID',
  'LoginName',
  'DisplayName',
  'PreferredLanguage',
  'SessionID',
] as const

const ORIGIN = /^https?:\/\/[^/?#\\{}\s@]+(?=[/?#]|$)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNFIT = /[\u0000-\u0020\u007f-\u009f"<>\\^`|\p{Zl}\p{Zp}\p{Zs}]/u

/** Why a template cannot be used with these names; undefined when it can. */
export function urlTemplateProblem(template: string, variables: readonly string[]): string | undefined {
  const problem = placeProblem(template, variables)
  if (problem !== undefined) return problem
  const sample = fillPlaces(template, Object.fromEntries(variables.map((name) => [name, 'x'])))
  const isUrl = ORIGIN.test(template) && !UNFIT.test(sample) && sample.isWellFormed() && URL.canParse(sample)
  return isUrl ? undefined : 'must be an http or https URL without placeholders in the host'
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The link of a template that was checked. */
export function renderUrlTemplate(template: string, values: Readonly<Record<string, string>>): Link {
  const problem = urlTemplateProblem(template, Object.keys(values))
  if (problem !== undefined) throw new Error(`a link was asked for by a template that ${problem}`)
  const encoded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]))
  return fillPlaces(template, encoded) as Link
}

/** A link to one of our own pages: `path` begins with a slash and may have places, like a template. */
export function publicLink(externalUrl: string, path: string, values: Readonly<Record<string, string>>): Link {
  return renderUrlTemplate(`${new URL(externalUrl).origin}${path}`, values)
}
