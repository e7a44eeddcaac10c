/** What there is not here at all: every such object is named, and what lasts only a short time is counted. */
import { isAsked } from './event.ts'
import { type Folding, fold } from './fold.ts'
import { executions, targets } from './folds/actions.ts'
import { groups } from './folds/groups.ts'
import { features, instance, webKeys } from './folds/instance.ts'
import {
  instanceMembers,
  organizationMembers,
  organizationMetadata,
  projectMembers,
  userMetadata,
} from './folds/members.ts'
import { organizationSettings, organizations } from './folds/organizations.ts'
import { instanceLevel, organizationLevel } from './folds/policies.ts'
import { applications, authorizations, projectGrants, projects } from './folds/projects.ts'
import { instanceProviders, organizationProviders } from './folds/providers.ts'
import { avatars, users } from './folds/users.ts'
import { isIgnored } from './ignored-members.ts'
import type { PeerLog } from './log.ts'
import { type Item, remark } from './reading.ts'

interface Foreign {
  isSet: boolean
}

function set(state: Foreign): void {
  state.isSet = true
}

function foreign(aggregateType: string, sets: readonly string[], ends: readonly string[]): Folding<Foreign> {
  return {
    aggregateType,
    initial: () => ({ isSet: false }),
    changes: Object.fromEntries(sets.map((type) => [type, set])),
    ends,
  }
}

const FOREIGN: readonly { readonly folding: Folding<Foreign>; readonly reason: string }[] = [
  {
    folding: foreign('action', ['action.added', 'action.changed'], ['action.removed']),
    reason: 'Scripts of actions stay behind: no code of others runs here.',
  },
  {
    folding: foreign('restrictions', ['restrictions.set'], []),
    reason: 'Restrictions of languages and of registering organizations stay behind.',
  },
  { folding: foreign('limits', ['limits.set'], ['limits.reset']), reason: 'Limits of the instance stay behind.' },
  { folding: foreign('quota', ['quota.set', 'quota.added'], ['quota.removed']), reason: 'Quotas stay behind.' },
]

type AnyFolding = Pick<Folding<unknown>, 'aggregateType' | 'begins' | 'ends'> & { readonly changes: object }

/** Everything that is read somewhere. */
const FOLDINGS: readonly AnyFolding[] = [
  applications,
  authorizations,
  avatars,
  executions,
  features,
  groups,
  instance,
  instanceLevel,
  instanceMembers,
  instanceProviders,
  organizationLevel,
  organizationMembers,
  organizationMetadata,
  organizationProviders,
  organizationSettings,
  organizations,
  projectGrants,
  projectMembers,
  projects,
  targets,
  userMetadata,
  users,
  webKeys,
  ...FOREIGN.map(({ folding }) => folding),
]

/** The types of events that are read, by the type of their aggregates. */
export const READ_TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(FOLDINGS, ({ aggregateType }) => aggregateType)].map(([type, foldings]) => [
    type,
    [
      ...new Set(
        foldings.flatMap(({ changes, begins = [], ends = [] }) => [...Object.keys(changes), ...begins, ...ends]),
      ),
    ],
  ]),
)

const READ: ReadonlySet<string> = new Set([...READ_TYPES.values()].flat())

/** Short-lived, or only a trace of what happened. */
const PASSING = [
  /\.(code|check|checked|challenged)\b/,
  /\.(sent|failed|requested|skipped)$/,
  /^user\.(token|refresh|human\.refresh|human\.signed|human\.address|address|impersonated|reserved|released)/,
  /^user\.(human\.)?(mfa\.)?(init|otp\.init)/,
  /^(auth_request|device\.authorization|idpintent|saml_request|saml_session|session_logout|milestone|permission|system)\b/,
  /^(key_pair|pushed|notification|quota\.notif|logstore)/,
  /^instance\.(iam\.console|secret\.generator|setup|ownership)/,
  /^org\.(flow|domain\.verification|iam\.)/,
  /^action\./,
  /^feature\.system\./,
  /config\.(oidc\.registration_token|saml)/,
  /^instance\.sms\.configtwilio/,
  /^instance\.smtp\.config\.http/,
]

const COUNTED: readonly { readonly kind: string; readonly type: string; readonly reason: string }[] = [
  { kind: 'session', type: 'session.added', reason: 'sessions stay behind: users sign in once.' },
  {
    kind: 'refresh-token',
    type: 'oidc_session.refresh_token.added',
    reason: 'refresh tokens stay behind: applications sign users in once.',
  },
  { kind: 'flow', type: 'org.flow.trigger_actions.set', reason: 'triggers of action scripts stay behind.' },
]

/** Types of events that nobody knows. */
function* unknownTypes(counts: ReadonlyMap<string, number>): Generator<Item> {
  for (const [type, number] of counts) {
    const isKnown = READ.has(type) || /^(oidc_)?session\./.test(type) || PASSING.some((pattern) => pattern.test(type))
    if (!isKnown) yield remark('event', type, `${number} events of this type are unknown and stay behind.`)
  }
}

/** Members of events that are read, and that nobody asks for. */
async function* unknownMembers(log: PeerLog): AsyncGenerator<Item> {
  const foreignTypes = new Set(FOREIGN.flatMap(({ folding }) => Object.keys(folding.changes)))
  const types = [...READ].filter((type) => !foreignTypes.has(type))
  for (const { type, member, number } of await log.countMembers(types)) {
    if (isAsked(type, member) || isIgnored(type, member)) continue
    const name = member.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, 100)
    yield remark('event', type, `“${name}”, which ${number} events have, is not known to this import and stays behind.`)
  }
}

/** Remarks about what stays behind altogether. */
export async function* leftBehind(
  log: PeerLog,
  changed?: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<Item> {
  for (const { folding, reason } of FOREIGN) {
    const ids = changed && (changed.get(folding.aggregateType) ?? [])
    for await (const { id, state } of fold(log, folding, ids)) {
      if (state.isSet) yield remark(folding.aggregateType, id, reason)
    }
  }
  if (changed) return
  const counts = await log.countTypes()
  for (const { kind, type, reason } of COUNTED) {
    const number = counts.get(type) ?? 0
    if (number > 0) yield remark(kind, '', `${number} ${reason}`)
  }
  yield* unknownTypes(counts)
  yield* unknownMembers(log)
}
