/**
 * Builds the OpenAPI 3.1 document from the descriptors: each method with its own path (gRPC, gRPC-web, Connect) and all
 * of its REST paths.
 */
import type { DescService } from '@bufbuild/protobuf'
import { comments } from '../../../contract/gen/comments.ts'
import { EventService } from '../../../contract/gen/signet/event/v1/event_service_pb.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import { errorResponses, errorSchemas } from './errors.ts'
import { eventStreamOperation } from './event-stream.ts'
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

/** What most people look for, in this order; the other services follow by name. */
const FIRST: Readonly<Record<string, string>> = {
  'signet.user.v2.UserService': 'Users',
  'signet.session.v2.SessionService': 'Sessions',
  'signet.application.v2.ApplicationService': 'Applications',
}

/** `signet.org.v2.OrganizationService` is called “Organization v2”. */
function titleOf(typeName: string): string {
  const [version = '', name = ''] = typeName.split('.').slice(-2)
  return `${name.replace(/(?<=.)Service$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')} ${version}`
}

function inOrder(services: readonly DescService[]): readonly DescService[] {
  const names = Object.keys(FIRST)
  const place = ({ typeName }: DescService) => (names.includes(typeName) ? names.indexOf(typeName) : names.length)
  // Of the others, the current services before those of earlier clients.
  const age = ({ typeName }: DescService) => (/\.(admin|auth|management)\.v1\./.test(typeName) ? 1 : 0)
  const title = ({ typeName }: DescService) => titleOf(typeName)
  return [...services].sort((a, b) => place(a) - place(b) || age(a) - age(b) || (title(a) < title(b) ? -1 : 1))
}

const INTRODUCTION = `Everything that the console does goes through this API, and so can you.

**Sign in** above, or enter a personal access token under “Authentication”. The first start wrote one to \`data/admin.pat\`:

\`\`\`sh
curl -s localhost:8080/v2/users -H "Authorization: Bearer $(cat data/admin.pat)" -H 'Content-Type: application/json' -d '{}'
\`\`\`

- **Examples** are valid as they are; replace IDs by those of your objects.
- **Organization:** calls work in the organization of the caller, or in the one that the header \`x-service-orgid\` names.
- **Errors** have a code, which is [explained](${PATHS.docs}/reference/errors); the last of their details is the address.
- **Other protocols:** each method is also served over gRPC, gRPC-web and Connect, at the path with its full name.

The [documentation](${PATHS.docs}/) has guides and all [settings](${PATHS.docs}/reference/configuration).`

/** The services that a document can be asked for, by the names of their tags, in the order of the document. */
export function describedServices(services: readonly DescService[]): readonly { name: string; title: string }[] {
  const described = services.filter(
    (service) => service === EventService || service.methods.some(({ methodKind }) => methodKind === 'unary'),
  )
  return inOrder(described).map(({ typeName }) => ({ name: typeName, title: FIRST[typeName] ?? titleOf(typeName) }))
}

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
  // Streams of messages cannot be described.
  const unary = services.flatMap((service) => service.methods.filter(({ methodKind }) => methodKind === 'unary'))
  for (const method of unary) {
    for (const placed of restOperations(book, method)) place(placed)
    place(methodOperation(book, method))
  }
  place(importOperation(book, services))
  place(eventStreamOperation(book, services))
  const tags = describedServices(services).map(({ name, title }) => ({
    name,
    'x-displayName': title,
    ...(comments[name] ? { description: comments[name] } : {}),
  }))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Signet',
      version: options.version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
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
