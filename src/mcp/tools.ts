/**
 * The tools: methods of the contract, in the form in which agents find them. Which services are offered is chosen here; which
 * of their methods and fields are left out follows from the contract.
 */
import type { DescMethod } from '@bufbuild/protobuf'
import { comments } from '../../contract/gen/comments.ts'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { SignInService } from '../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Method } from '../access/method.ts'
import { isReading, requirementOf } from '../access/requirement.ts'
import { newSchemaBook, type Schema, schemaOfMembers } from '../http/openapi/schema.ts'
import { type Served, serveMethods } from '../http/protocols/served.ts'
import { givesSecret, SecretFields } from './secrets.ts'

const OFFERED: ReadonlySet<DescMethod> = new Set<DescMethod>([
  ...[UserService, SessionService, SignInService, SettingsService, OrganizationService, ProjectService].flatMap(
    ({ methods }) => methods as readonly DescMethod[],
  ),
  ...[ApplicationService, AuthorizationService, InternalPermissionService].flatMap(
    ({ methods }) => methods as readonly DescMethod[],
  ),
  AdminService.method.listEvents,
  AdminService.method.listEventTypes,
])

/** A method as a tool. */
export interface Tool {
  readonly name: string
  readonly isReading: boolean
  readonly served: Served
  /** As agents read it. */
  describe(): ToolDescription
}

export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema & { readonly type: 'object' }
  readonly annotations: Readonly<Record<string, boolean>>
}

/** `ListUsers` is `list_users`. */
function toolName(method: string): string {
  return method
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

/** `ListUsers` is "List users". */
function titleOf(name: string): string {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const secretFields = new SecretFields()

function isTool({ descriptor }: Method): boolean {
  const { input, output, deprecated } = descriptor
  return (
    OFFERED.has(descriptor) &&
    !deprecated &&
    requirementOf(descriptor).type !== 'public' &&
    !givesSecret(output) &&
    !secretFields.isHidden(input)
  )
}

/** The schema of a request, with all that it refers to inside. */
function schemaOf({ input }: Method['descriptor']): ToolDescription['inputSchema'] {
  const book = newSchemaBook((message) => secretFields.of(message))
  const schema = schemaOfMembers(book, input)
  const isAlone = Object.keys(book.schemas).length === 0
  const text = JSON.stringify(isAlone ? schema : { ...schema, $defs: book.schemas })
  return { type: 'object', ...JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')) }
}

function permissionText(descriptor: DescMethod): string {
  const needs = requirementOf(descriptor)
  return 'permission' in needs ? `Requires ${needs.permission}.` : ''
}

function describe({ method: { descriptor } }: Served, name: string): ToolDescription {
  const about = comments[`${descriptor.parent.typeName}.${descriptor.name}`] ?? ''
  const reads = isReading(descriptor)
  return {
    name,
    title: titleOf(name),
    description: [about, permissionText(descriptor)].filter((text) => text !== '').join(' '),
    inputSchema: schemaOf(descriptor),
    annotations: {
      readOnlyHint: reads,
      ...(!reads && { destructiveHint: /^(?:Delete|Remove|Deactivate|Lock|Reset)/.test(descriptor.name) }),
      openWorldHint: false,
    },
  }
}

/** All tools by name. Throws when two methods would have the same. */
export function toolsOf(methods: readonly Method[]): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>()
  for (const served of serveMethods(methods.filter(isTool))) {
    const { descriptor } = served.method
    const name = toolName(descriptor.name)
    if (tools.has(name)) throw new Error(`two methods are the tool ${name}`)
    let description: ToolDescription | undefined
    tools.set(name, {
      name,
      isReading: isReading(descriptor),
      served,
      describe() {
        description ??= describe(served, name)
        return description
      },
    })
  }
  return tools
}

/** The first field of a request that agents cannot send, as a path. */
export function secretIn({ served }: Tool, message: Parameters<Served['check']>[0]): string | undefined {
  return secretFields.firstIn(served.method.descriptor.input, message)
}
