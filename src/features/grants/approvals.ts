/**
 * Unregistered clients that an organization approved for all of its users. An approval is a path: nobody is asked any more,
 * so it counts for users within the reach of whoever gave it last.
 */
import { type Reach, reachAfter } from '../../access/paths.ts'
import { accept, type Decider } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { kind, type Reader } from '../../store/index.ts'
import { mayUsePath } from '../memberships/index.ts'
import { type AgentApprovalEvent, agentApprovalEvents } from './events.ts'
import { isSameFrame, joinedWith, type Picture } from './picture.ts'
import { type GrantRefusal, grantRefusals } from './refusals.ts'

export type AgentApproval =
  | { readonly status: 'none' }
  | {
      readonly status: 'given'
      readonly clientId: string
      readonly applicationId: string
      readonly resource: string
      readonly scopes: readonly string[]
      readonly picture?: Picture
      readonly givenAt: Instant
      /** Since when it has been there, of that picture and without a break. What rested on another one does not count. */
      readonly since: Instant
      /** Not given: an owner's. */
      readonly reach?: Reach
    }

type Command =
  | {
      readonly type: 'give'
      readonly clientId: string
      readonly applicationId: string
      readonly resource: string
      readonly scopes: readonly string[]
      readonly picture: Picture | undefined
      readonly at: Instant
      /** How far whoever gives it reaches. */
      readonly by: Reach
    }
  | { readonly type: 'withdraw' }

const approval: Decider<Command, AgentApproval, AgentApprovalEvent, GrantRefusal> = {
  initial: { status: 'none' },

  evolve(state, event) {
    if (event.type !== 'agent_approval.given.v1') return { status: 'none' }
    const isMore = state.status === 'given' && isSameFrame(state.picture, event.data.picture)
    const since = isMore ? state.since : event.data.givenAt
    return { status: 'given', ...event.data, since }
  },

  decide(command, state) {
    if (command.type === 'withdraw') {
      return state.status === 'given' ? accept({ type: 'agent_approval.withdrawn.v1', data: {} }) : accept()
    }
    const { clientId, applicationId, resource, scopes: added, picture: shown, at: givenAt, by } = command
    const before = state.status === 'given' && isSameFrame(state.picture, shown) ? state : undefined
    const scopes = [...new Set([...(before?.scopes ?? []), ...added])]
    const picture = shown && { picture: joinedWith(shown, before?.picture) }
    // Who approves a part of it has not seen the rest.
    const isWhole = scopes.length === added.length
    const reach = reachAfter(before?.reach, by, { isChanged: true, isWhole }) ?? before?.reach
    const data = { clientId, applicationId, resource, scopes, ...picture, givenAt, ...(reach && { reach }) }
    return accept({ type: 'agent_approval.given.v1', data })
  },
}

/** How many clients an organization approves. */
export const MOST_APPROVALS = 1000

/** The ID is `approvalId(...)`; the owner is the organization. */
export const agentApprovals = kind({
  name: 'agent-approval',
  ids: { joined: ['organization', 'client', 'resource'] },
  waits: false,
  path: true,
  version: 3,
  events: agentApprovalEvents,
  decider: approval,
  refusals: grantRefusals,
  fields: { applicationId: { path: ['applicationId'], type: 'text' } },
  limits: [{ things: 'approved clients', holder: 'an organization', by: ['owner'], number: MOST_APPROVALS }],
})

export function approvalId(organizationId: string, clientId: string, resource: string): string {
  return `${organizationId} ${clientId} ${resource}`
}

/** Whose access a client asks for. */
interface OfMember {
  readonly userId: string
  readonly organizationId: string
  readonly clientId: string
  readonly resource: string | undefined
}

/** What the organization of a user approved a client for, if whoever approved it reaches that far. */
export async function approvedScopes(
  app: App,
  { userId, organizationId, clientId, resource }: OfMember,
  reader: Reader,
): Promise<Extract<AgentApproval, { status: 'given' }> | undefined> {
  if (resource === undefined) return undefined
  const found = await reader.get(agentApprovals, approvalId(organizationId, clientId, resource))
  if (found?.state.status !== 'given') return undefined
  const { reach } = found.state
  return (await mayUsePath(app, { owner: organizationId, reach }, userId)) ? found.state : undefined
}
