/**
 * Builds the OpenAPI 3.1 document from the descriptors: each method with its own path (gRPC, gRPC-web, Connect) and all
 * of its REST paths.
 */
import type { DescService } from '@bufbuild/protobuf'
import { comments } from '../../../contract/gen/comments.ts'
import { errorResponses, errorSchemas } from './errors.ts'
import { importOperation } from './import.ts'
import { methodOperation, type Placed, restOperations } from './operation.ts'
import { newSchemaBook, type Schema } from './schema.ts'

export interface OpenApiOptions {
  /** The public URL of the server. */
  readonly externalUrl: string
  /** Version of the server. */
  readonly version: string
}

const organizationHeader: Schema = {
  name: 'x-service-orgid',
  in: 'header',
  description: "ID of the organization to work in. Default: the caller's organization.",
  schema: { type: 'string' },
}

const bearer: Schema = { type: 'http', scheme: 'bearer', description: 'A personal access token.' }

/** Builds the document for these services. Throws when the contract cannot be described. */
export function openApiDocument(services: readonly DescService[], options: OpenApiOptions): Schema {
  const book = newSchemaBook()
  const paths: Record<string, Record<string, Schema>> = {}
  const place = (placed: Placed | undefined): void => {
    if (!placed) return
    const { path, verb, operation } = placed
    if (paths[path]?.[verb]) throw new Error(`Two methods are bound to ${verb.toUpperCase()} ${path}`)
    paths[path] = { ...paths[path], [verb]: operation }
  }
  // Streams of messages are for gRPC alone.
  const unary = services.flatMap((service) => service.methods.filter(({ methodKind }) => methodKind === 'unary'))
  for (const method of unary) {
    for (const placed of restOperations(book, method)) place(placed)
    place(methodOperation(book, method))
  }
  place(importOperation(book, services))
  const described = services.filter((service) => unary.some(({ parent }) => parent === service))
  const tags = described.map(({ typeName }) => ({
    name: typeName,
    ...(comments[typeName] ? { description: comments[typeName] } : {}),
  }))
  return {
    openapi: '3.1.1',
    info: { title: 'Signet', version: options.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: options.externalUrl }],
    tags,
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: { ...book.schemas, ...errorSchemas },
      responses: errorResponses,
      parameters: { OrganizationHeader: organizationHeader },
      securitySchemes: { bearer },
    },
  }
}
