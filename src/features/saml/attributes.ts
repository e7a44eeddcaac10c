/** What assertions say about users: the name ID, and the attributes that the application asks for. */
import { refused } from '../../kernel/refusal.ts'
import { FORMAT } from '../../kernel/saml-names.ts'
import { within } from '../../kernel/within.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import type { SamlAttribute, SamlConfig } from '../applications/index.ts'
import { rolesOfUser } from '../authorizations/index.ts'
import type { FunctionAnswer } from '../executions/index.ts'
import { type LivingOrganization, organizations, primaryDomain } from '../organizations/index.ts'
import type { Told } from '../statements/index.ts'
import type { LivingUser } from '../users/index.ts'
import { samlRefusals } from './refusals.ts'
import { isKnownFormat, type NameId, type WrittenAttribute } from './write-response.ts'

/** How long all values together may be: the response goes through a form or an address. */
const MOST_CHARACTERS = 65_536

/** What existing service providers of the peer know. */
const USUAL: readonly SamlAttribute[] = [
  { name: 'Email', source: 'email' },
  { name: 'SurName', source: 'last_name' },
  { name: 'FirstName', source: 'first_name' },
  { name: 'FullName', source: 'display_name' },
  { name: 'UserName', source: 'user_name' },
  { name: 'UserID', source: 'user_id' },
]

/** The user name, unless it looks like an address that the user has not shown to be theirs. */
function safeName({ userName, verifiedEmail, id }: Told): string {
  return userName.includes('@') && userName.toLowerCase() !== verifiedEmail.toLowerCase() ? id : userName
}

function nameIdIn(format: string, told: Told, transientId: string): NameId | undefined {
  switch (format) {
    case FORMAT.email:
      return told.verifiedEmail === '' ? undefined : { format, value: told.verifiedEmail }
    case FORMAT.transient:
      return { format, value: transientId }
    case FORMAT.unspecified:
      return { format, value: safeName(told) }
    default:
      return { format: FORMAT.persistent, value: told.id }
  }
}

/**
 * The name of a user for a service provider: in the format that the request asks for, else in the first of the metadata
 * that is known here, else the verified address, else the ID. Throws when the user has no name of the format.
 */
export function nameIdFor(
  told: Told,
  asked: string | undefined,
  { nameIdFormats }: Pick<SamlConfig, 'nameIdFormats'>,
  transientId: string,
): NameId {
  // In a request, "unspecified" means that any format will do (SAML 2.0 Core §3.4.1.1).
  const wanted = asked === undefined || asked === FORMAT.unspecified ? nameIdFormats.find(isKnownFormat) : asked
  if (wanted === undefined) {
    return nameIdIn(FORMAT.email, told, transientId) ?? { format: FORMAT.persistent, value: told.id }
  }
  const found = nameIdIn(wanted, told, transientId)
  if (found === undefined) throw refused(samlRefusals, 'saml.name_unavailable')
  return found
}

async function valuesOf(
  app: App,
  { id, owner }: Document<LivingUser>,
  told: Told,
  projectId: string,
  source: SamlAttribute['source'],
): Promise<readonly (string | undefined)[]> {
  const organization = async () => (await app.store.get(organizations, owner))?.state as LivingOrganization | undefined
  switch (source) {
    case 'email':
      return [told.verifiedEmail]
    case 'first_name':
      return [told.firstName]
    case 'last_name':
      return [told.lastName]
    case 'display_name':
      return [told.displayName]
    case 'user_name':
      return [told.userName]
    case 'user_id':
      return [told.id]
    case 'roles':
      return [...new Set((await rolesOfUser(app, id, [projectId])).map(({ roleKey }) => roleKey))]
    case 'groups':
      return (await told.groups()).map(({ name }) => name)
    case 'organization_id':
      return [owner]
    case 'organization_name':
      return [(await organization())?.name]
    case 'organization_domain': {
      const found = await organization()
      return [found && primaryDomain(found)]
    }
  }
}

/** Attributes with those that a function adds: one of the same name takes the place of another, as the peer does it. */
export function withAdded(
  attributes: readonly WrittenAttribute[],
  { append_attribute: added = [] }: FunctionAnswer,
): readonly WrittenAttribute[] {
  const byName = new Map(attributes.map((one) => [one.name, one]))
  for (const { name, name_format: nameFormat, value } of added) {
    byName.set(name, { name, ...(nameFormat && { nameFormat }), values: value ?? [] })
  }
  return [...byName.values()].filter(({ values }) => values.length > 0)
}

/** The attribute that names those whose values would make the response too large. */
const LEFT_OUT = 'urn:signet:left_out'

/** The attributes of a user; those without a value are left out. */
export async function attributesFor(
  app: App,
  user: Document<LivingUser>,
  { attributes = USUAL }: Pick<SamlConfig, 'attributes'>,
  { projectId, told }: { readonly projectId: string; readonly told: Told },
): Promise<readonly WrittenAttribute[]> {
  const written: WrittenAttribute[] = []
  const cut: string[] = []
  let left = MOST_CHARACTERS
  for (const { name, source } of attributes) {
    const said = (await valuesOf(app, user, told, projectId, source)).filter(
      (value) => value !== undefined && value !== '',
    )
    const { kept: values, isCut } = within(said as readonly string[], left, ({ length }) => length)
    for (const { length } of values) left -= length
    if (isCut) cut.push(name)
    if (values.length > 0) written.push({ name, values })
  }
  return cut.length === 0 ? written : [...written, { name: LEFT_OUT, values: cut }]
}
