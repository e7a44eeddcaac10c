/**
 * Links in messages: to the built-in pages, or from a template of the API caller, `https://…?code={{.Code}}`. Values
 * are percent-encoded and not allowed in the origin, so a link always leads to the origin of the template. Pure.
 */
import { fillPlaces, placeProblem } from '../../kernel/placeholders.ts'

/** A link that was created here: to our own origin, or from a checked template. */
export type Link = string & { readonly __brand: 'Link' }

/** The placeholders in a template for a code by email. */
export const CODE_VARIABLES = ['Code', 'UserID', 'OrgID'] as const
/** The placeholders in a template for a passkey registration link. */
export const PASSKEY_VARIABLES = ['UserID', 'OrgID', 'CodeID', 'Code'] as const
/** The placeholders in a template for a one-time code. */
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

/** Why a template is invalid with these placeholders; undefined when it is valid. */
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

/** The link of a checked template. */
export function renderUrlTemplate(template: string, values: Readonly<Record<string, string>>): Link {
  const problem = urlTemplateProblem(template, Object.keys(values))
  if (problem !== undefined) throw new Error(`a link was asked for by a template that ${problem}`)
  const encoded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]))
  return fillPlaces(template, encoded) as Link
}

/** A link to a built-in page. `path` starts with a slash and can contain placeholders. */
export function publicLink(externalUrl: string, path: string, values: Readonly<Record<string, string>>): Link {
  return renderUrlTemplate(`${new URL(externalUrl).origin}${path}`, values)
}
