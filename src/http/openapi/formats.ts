/**
 * The form of texts that modules check beyond the rules of the contract: addresses, domains, phone numbers. Named by field,
 * because the same few fields stand in many requests; a test tries a wrong text in each.
 */
import { type DescField, getOption, ScalarType } from '@bufbuild/protobuf'
import * as validate from '../../../contract/gen/buf/validate/validate_pb.ts'

type Schema = Readonly<Record<string, unknown>>

interface Format {
  readonly schema: Schema
  /** For a field that may be left empty, which `format` alone would forbid. */
  readonly orEmpty: string
}

const HTTP = '^https?://'
const uri: Format = { schema: { format: 'uri', pattern: HTTP }, orEmpty: `^$|${HTTP}` }
const page: Format = { schema: { pattern: `${HTTP}|^/` }, orEmpty: `^$|${HTTP}|^/` }
const template: Format = { schema: { pattern: HTTP }, orEmpty: `^$|${HTTP}` }
const email: Format = { schema: { format: 'email' }, orEmpty: '^$|^[^@]+@[^@]+$' }
const phone: Format = { schema: { format: 'phone', pattern: '[0-9]' }, orEmpty: '^$|[0-9]' }
const domain: Format = { schema: { format: 'idn-hostname' }, orEmpty: '^$|^[^/?#\\s]+$' }
const hostAndPort: Format = { schema: { pattern: ':[0-9]{1,5}$' }, orEmpty: '^$|:[0-9]{1,5}$' }

const FORMATS: readonly (readonly [name: RegExp, format: Format])[] = [
  [
    /^(uri|issuer|endpoint|\w+_endpoint|success_url|failure_url|metadata_url|default_redirect_uri|back_channel_logout_uri)$/,
    uri,
  ],
  [/^(ciba_notification_uri|jwks_uri)$/, uri],
  [/^base_uri$/, page],
  [/^url_template$/, template],
  [/^(email|support_email|sender_address|reply_to_address|receiver_address)$/, email],
  [/^phone$/, phone],
  [/^domain$/, domain],
  [/^host$/, hostAndPort],
]

/** Messages that callers send; replies may hold what was never checked, such as nothing. */
const SENT =
  /^signet\..*(Request(\.\w+)*|RedirectURLs|SendCode|\.Send\w+|\.SetHuman\w+|\.LoginV2|RequestChallenges\.\w+|ProjectResource|SMTPXOAuth2Auth|\.Assertion(Issuer|Partner))$/

/** Requests that only look something up: any text is allowed, and finds nothing. */
const LOOKUPS: ReadonlySet<string> = new Set([
  'signet.admin.v1.IsOrgUniqueRequest',
  'signet.management.v1.IsUserUniqueRequest',
])

function mayBeEmpty(field: DescField): boolean {
  const rules = getOption(field, validate.field)
  const minLength = rules.type.case === 'string' ? rules.type.value.minLen : 0n
  return !rules.required && minLength === 0n
}

/** What the document says of the form of a field; nothing where any text will do. */
export function formatOf(field: DescField): Schema {
  const { typeName } = field.parent
  if (field.fieldKind !== 'scalar' || field.scalar !== ScalarType.STRING) return {}
  if (!SENT.test(typeName) || LOOKUPS.has(typeName)) return {}
  const format = FORMATS.find(([name]) => name.test(field.name))?.[1]
  if (format === undefined) return {}
  return mayBeEmpty(field) ? { pattern: format.orEmpty } : format.schema
}
