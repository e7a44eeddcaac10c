/** The types of identity providers, as the console offers them. */
import { ProviderType } from '../../../../contract/gen/signet/idp/v1/config_pb.ts'
import {
  PROVIDER_ROWS,
  type PROVIDER_TYPES,
  type ProviderRow,
} from '../../../../src/features/identity-providers/provider-types.ts'

type Rows = typeof PROVIDER_TYPES
export type Template = Rows[keyof Rows]['template']

interface TemplateSpec extends ProviderRow {
  readonly type: ProviderType
}

const SPEC_LIST = PROVIDER_ROWS.map(([type, row]): readonly [Template, TemplateSpec] => [
  row.template as Template,
  { ...row, type: ProviderType[type.toUpperCase() as Uppercase<typeof type>] },
])

export const TEMPLATES = SPEC_LIST.map(([template]) => template)

export const SPECS = Object.fromEntries(SPEC_LIST) as Readonly<Record<Template, TemplateSpec>>

/** The template of a provider. */
export function templateOf(type: ProviderType): Template {
  return TEMPLATES.find((template) => SPECS[template].type === type) ?? 'oidc'
}

/** Whether the address names a template. */
export function isTemplate(text: string): text is Template {
  return (TEMPLATES as readonly string[]).includes(text)
}
