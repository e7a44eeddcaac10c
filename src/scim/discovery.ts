/** What a client can ask before it has a token: ServiceProviderConfig, ResourceTypes, Schemas (RFC 7643 §5 to §7). */
import type { App } from '../module/app.ts'
import type { Attribute, ResourceSchema, Schema } from './attributes.ts'
import { MAX_BODY_BYTES, MAX_BULK_OPERATIONS } from './limits.ts'
import { LIST_SCHEMA, MAX_PAGE } from './query.ts'
import { baseOf } from './resources.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

function describe(attribute: Attribute): object {
  const { name, type, parts, isMany = false, isRequired = false, isCaseExact = false, description } = attribute
  return {
    name,
    description,
    type,
    ...(parts && { subAttributes: parts.map(describe) }),
    multiValued: isMany,
    required: isRequired,
    caseExact: isCaseExact,
    ...(attribute.examples && attribute.examples.length > 0 && { canonicalValues: attribute.examples }),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.isUnique === true ? 'server' : 'none',
    ...(attribute.references && { referenceTypes: attribute.references }),
  }
}

function schemaDocument(base: string, { id, name, description, attributes }: Schema): object {
  return {
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes: attributes.map(describe),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }
}

function typeDocument(base: string, { id, name, description, endpoint, extensions }: ResourceSchema): object {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description,
    schema: id,
    schemaExtensions: extensions.map((extension) => ({ schema: extension.id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }
}

function configDocument({ externalUrl }: App, base: string): object {
  const documentationUri = `${externalUrl}/ui/docs/guides/directory-sync`
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    documentationUri,
    patch: { supported: true },
    bulk: { supported: true, maxOperations: MAX_BULK_OPERATIONS, maxPayloadSize: MAX_BODY_BYTES },
    filter: { supported: true, maxResults: MAX_PAGE },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: MAX_PAGE,
      maxPageSize: MAX_PAGE,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Access token',
        description: 'A personal access token of a machine user, or an access token, in the Authorization header.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        documentationUri,
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

function listOf(documents: readonly object[]): object {
  const totalResults = documents.length
  return { schemas: [LIST_SCHEMA], totalResults, itemsPerPage: totalResults, startIndex: 1, Resources: documents }
}

/** The document at a path behind the organization; undefined when there is none. */
export function discoveryDocument(
  app: App,
  organizationId: string,
  types: readonly ResourceSchema[],
  [place, name, ...more]: readonly string[],
): object | undefined {
  const base = baseOf(app, organizationId)
  if (more.length > 0) return undefined
  const schemas = types.flatMap((type) => [type, ...type.extensions])
  switch (place) {
    case 'ServiceProviderConfig':
      return name === undefined ? configDocument(app, base) : undefined
    case 'ResourceTypes': {
      if (name === undefined) return listOf(types.map((type) => typeDocument(base, type)))
      const type = types.find((one) => one.name === name)
      return type && typeDocument(base, type)
    }
    case 'Schemas': {
      if (name === undefined) return listOf(schemas.map((schema) => schemaDocument(base, schema)))
      const schema = schemas.find(({ id }) => id.toLowerCase() === name.toLowerCase())
      return schema && schemaDocument(base, schema)
    }
    default:
      return undefined
  }
}

/** The paths that need no token. */
export const DISCOVERY: ReadonlySet<string> = new Set(['ServiceProviderConfig', 'ResourceTypes', 'Schemas'])
