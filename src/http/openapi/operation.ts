/** One operation of the OpenAPI document, on a REST path or on the path of the method. */
import { type DescField, type DescMethod, getOption } from '@bufbuild/protobuf'
import { comments } from '../../../contract/gen/comments.ts'
import { replaced_by, success_status } from '../../../contract/gen/signet/v1/options_pb.ts'
import { type Requirement, requirementOf, usesOrganizationOfCall } from '../../access/requirement.ts'
import { type RestRule, restRulesOf } from '../protocols/rest-router.ts'
import { EXAMPLE_ID, exampleOf } from './examples.ts'
import { type Schema, type SchemaBook, schemaOfField, schemaOfMembers, schemaOfMessage } from './schema.ts'

/** The content types of all method paths: two of Connect, gRPC and gRPC-web. */
const methodTypes = [
  'application/json',
  'application/proto',
  'application/grpc',
  'application/grpc-web+proto',
  'application/grpc-web-text+proto',
] as const

/** An operation and its place in the document. */
export interface Placed {
  readonly path: string
  readonly verb: string
  readonly operation: Schema
}

function content(types: readonly string[], schema: Schema, example?: Schema): Schema {
  const isJson = (type: string) => type === 'application/json'
  return Object.fromEntries(types.map((type) => [type, { schema, ...(example && isJson(type) && { example }) }]))
}

function permissionText(needs: Requirement): string {
  switch (needs.type) {
    case 'public':
      return 'No authentication required.'
    case 'authenticated':
      return 'Requires authentication.'
    case 'context':
      return `Requires \`${needs.permission}\` in the organization of the call.`
    case 'instance':
      return `Requires \`${needs.permission}\` on the instance.`
    case 'every organization':
      return `Requires \`${needs.permission}\` in every organization.`
    case 'target':
      return `Requires \`${needs.permission}\` in the organization of the object${needs.self ? ', except for your own user' : ''}.`
  }
}

/** The parts of an operation that do not depend on its path. */
function aboutMethod(method: DescMethod): Schema {
  const needs = requirementOf(method)
  const comment = comments[`${method.parent.typeName}.${method.name}`]
  const replacement = getOption(method, replaced_by)
  const instead = replacement === '' ? undefined : `Use \`${replacement}\` instead.`
  const fallsBack = needs.type !== 'context' && usesOrganizationOfCall(method)
  const where = fallsBack ? 'Uses the organization of the call unless the request names another one.' : undefined
  return {
    tags: [method.parent.typeName],
    ...(comment ? { summary: comment } : {}),
    description: [permissionText(needs), where, instead].filter(Boolean).join(' '),
    ...(method.deprecated ? { deprecated: true } : {}),
    security: needs.type === 'public' ? [] : [{ bearer: [] }],
    ...('permission' in needs ? { 'x-permission': needs.permission } : {}),
  }
}

function headersOf(method: DescMethod): readonly Schema[] {
  return usesOrganizationOfCall(method) ? [{ $ref: '#/components/parameters/OrganizationHeader' }] : []
}

const deprecationHeaders: Schema = {
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745).', schema: { type: 'string' } },
  Link: { description: 'The operation that replaces it.', schema: { type: 'string' } },
}

function reply(method: DescMethod, types: readonly string[], schema: Schema): Schema {
  return {
    description: 'Success.',
    ...(method.deprecated ? { headers: deprecationHeaders } : {}),
    content: content(types, schema),
  }
}

function errorsOf(needs: Requirement): Schema {
  const refer = (name: string) => ({ $ref: `#/components/responses/${name}` })
  return {
    400: refer('Invalid'),
    ...(needs.type === 'public' ? {} : { 401: refer('Unauthenticated'), 403: refer('Forbidden') }),
    404: refer('NotFound'),
    409: refer('Conflict'),
    429: refer('Exhausted'),
    default: refer('Unexpected'),
  }
}

function fieldsOfPath(method: DescMethod, template: string): readonly DescField[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const field = method.input.fields.find((one) => one.name === name)
    if (field?.fieldKind === 'scalar' || field?.fieldKind === 'enum') return field
    throw new Error(`${method.parent.typeName}/${method.name}: ${name} of its path is not a plain field of the request`)
  })
}

/** A parameter in the path or the query string. A field of a nested message has a dotted name. */
function parameter(
  book: SchemaBook,
  field: DescField,
  place: 'path' | 'query',
  required: boolean,
  within = '',
): Schema {
  const { description, ...schema } = schemaOfField(book, field)
  return { name: within + field.jsonName, in: place, required, ...(description ? { description } : {}), schema }
}

/** A parameter with its value in the example of the method, if it has one there. */
function withExample(one: Schema, example: Schema, other?: string): Schema {
  const names = String(one.name).split('.')
  const value = names.reduce<unknown>((node, name) => (node as Schema | undefined)?.[name], example) ?? other
  return value === undefined ? one : { ...one, example: value }
}

/** The query parameters of a field: the field itself, or the fields of its message. */
function queryParameters(book: SchemaBook, field: DescField, required: boolean, within = ''): readonly Schema[] {
  if (!field.message || /^google\.protobuf\.(Timestamp|Duration)$/.test(field.message.typeName)) {
    return [parameter(book, field, 'query', required, within)]
  }
  // A list of messages does not fit into a URL. A method of earlier clients has one all the same (ListGrantedProjectRoles).
  if (field.fieldKind === 'list' && within === '') return []
  // Deeper messages can only be sent in a body.
  if (field.fieldKind !== 'message' || within !== '') {
    throw new Error(`${field.parent.typeName}.${field.name} is a message and cannot be a parameter`)
  }
  return field.message.fields.flatMap((inner) => queryParameters(book, inner, false, `${field.jsonName}.`))
}

/** The JSON operations on the REST paths of a method. */
export function restOperations(book: SchemaBook, method: DescMethod): readonly Placed[] {
  return restRulesOf(method).map((rule, index) => {
    const id = `${method.parent.file.proto.package.replace(/^signet\./, '')}.${method.name}`
    // Operation IDs must be unique. The first path of a method has the plain one.
    return restOperation(book, method, rule, index === 0 ? id : `${id}.${index + 1}`)
  })
}

function restOperation(book: SchemaBook, method: DescMethod, rule: RestRule, operationId: string): Placed {
  const { verb, template, body } = rule
  if (body !== '' && body !== '*') throw new Error(`${operationId}: a body of one field cannot be described`)
  const needs = requirementOf(method)
  const pathFields = fieldsOfPath(method, template)
  const elsewhere = new Set(pathFields)
  const members = schemaOfMembers(book, method.input, elsewhere)
  const required = (members.required ?? []) as readonly string[]
  const queryFields = body === '*' ? [] : method.input.fields.filter((field) => !elsewhere.has(field))
  const example = exampleOf(method)
  const inBody = Object.fromEntries(
    Object.entries(example).filter(([name]) => !pathFields.some(({ jsonName }) => jsonName === name)),
  )
  const parameters = [
    ...pathFields.map((field) => withExample(parameter(book, field, 'path', true), example, EXAMPLE_ID)),
    ...queryFields
      .flatMap((field) => queryParameters(book, field, required.includes(field.jsonName)))
      .map((one) => withExample(one, example)),
    ...headersOf(method),
  ]
  const bodySchema = elsewhere.size > 0 ? members : schemaOfMessage(book, method.input)
  const requestBody = {
    required: required.length > 0 || members.allOf !== undefined,
    content: content(['application/json'], bodySchema, inBody),
  }
  const success = reply(method, ['application/json'], schemaOfMessage(book, method.output))
  const operation = {
    operationId,
    ...aboutMethod(method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === '*' ? { requestBody } : {}),
    responses: { [getOption(method, success_status) || 200]: success, ...errorsOf(needs) },
  }
  const names = new Map(pathFields.map((field) => [field.name, field.jsonName]))
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${names.get(name)}}`)
  return { path, verb: verb.toLowerCase(), operation }
}

/** The operation on the path of the method, with gRPC, gRPC-web and Connect. */
export function methodOperation(book: SchemaBook, method: DescMethod): Placed {
  const headers = headersOf(method)
  const name = `${method.parent.typeName}.${method.name}`
  const error = { $ref: '#/components/schemas/ConnectError' }
  const operation = {
    operationId: name,
    ...aboutMethod(method),
    ...(headers.length > 0 ? { parameters: headers } : {}),
    requestBody: {
      required: true,
      content: content(methodTypes, schemaOfMessage(book, method.input), exampleOf(method)),
    },
    responses: {
      200: reply(method, methodTypes, schemaOfMessage(book, method.output)),
      default: {
        description:
          'Refused, as Connect says it; gRPC and gRPC-web answer 200 and carry the status in their trailers.',
        content: content(['application/json'], error),
      },
    },
  }
  return { path: `/${method.parent.typeName}/${method.name}`, verb: 'post', operation }
}
