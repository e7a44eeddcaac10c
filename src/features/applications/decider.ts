/** The rules of applications, their secrets and their keys. The handlers check the project. Pure. */

import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import { reopen } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import { nameProblem } from '../../kernel/name.ts'
import type { ApiAccess } from '../../kernel/role.ts'
import { configProblems } from './config-rules.ts'
import type {
  AgentUse,
  ApplicationConfig,
  ApplicationEvent,
  ApplicationKeyEvent,
  ApplicationSecretEvent,
  SecretHash,
} from './events.ts'
import type { ApplicationRefusal } from './refusals.ts'
import { type Application, evolveApplication, isLiving, type LivingApplication } from './state.ts'

export type ApplicationCommand =
  | {
      readonly type: 'add'
      readonly projectId: string
      readonly name: string
      readonly clientId: string
      readonly config: ApplicationConfig
      readonly agent?: AgentUse
    }
  /** What is not given does not change. */
  | { readonly type: 'change'; readonly name?: string | undefined; readonly config?: ApplicationConfig | undefined }
  /** What a client that nobody prepared says about itself now. */
  | { readonly type: 'follow_metadata'; readonly name: string; readonly config: ApplicationConfig }
  | { readonly type: 'replace_secret' | 'deactivate' | 'reactivate' | 'remove' }
  /** The handler checks that its caller reaches so far. */
  | { readonly type: 'set_api_access'; readonly access: ApiAccess; readonly allowedBy: string }

type ApplicationDecision = Decision<ApplicationEvent, ApplicationRefusal>

/** The configuration as a text that does not depend on the order of its members. */
function textOf(config: ApplicationConfig): string {
  return JSON.stringify(config, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

function decideChange(
  { name, config }: Omit<Extract<ApplicationCommand, { type: 'change' }>, 'type'>,
  state: LivingApplication,
): ApplicationDecision {
  if (name !== undefined && nameProblem(name) !== undefined) return refuse('application.name_invalid')
  if (config !== undefined && config.type !== state.config.type) return refuse('application.other_type')
  if (config !== undefined && configProblems(config).length > 0) return refuse('application.config_invalid')
  const events: ApplicationEvent[] = []
  if (name !== undefined && name !== state.name) events.push({ type: 'application.renamed.v1', data: { name } })
  if (config !== undefined && textOf(config) !== textOf(state.config)) {
    events.push({ type: 'application.config_changed.v1', data: { config } })
  }
  return events.length === 0 ? refuse('application.unchanged') : accept(...events)
}

export const application: Decider<ApplicationCommand, Application, ApplicationEvent, ApplicationRefusal> = {
  initial: { status: 'unknown' },

  evolve: evolveApplication,

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('application.id_taken')
      if (nameProblem(command.name) !== undefined) return refuse('application.name_invalid')
      if (configProblems(command.config).length > 0) return refuse('application.config_invalid')
      const { type: _, ...data } = command
      return accept({ type: 'application.added.v1', data })
    }
    if (!isLiving(state)) return refuse('application.not_found')
    switch (command.type) {
      case 'change':
        return decideChange(command, state)
      case 'follow_metadata': {
        const decision = decideChange(command, state)
        return decision.refusal === 'application.unchanged' ? accept() : decision
      }
      case 'replace_secret':
        return accept({ type: 'application.secret_replaced.v1', data: {} })
      case 'deactivate':
        if (state.status !== 'active') return refuse('application.not_active')
        return accept({ type: 'application.deactivated.v1', data: {} })
      case 'reactivate':
        if (state.status !== 'inactive') return refuse('application.not_inactive')
        return accept({ type: 'application.reactivated.v1', data: reopen(state) })
      case 'remove':
        return accept({ type: 'application.removed.v1', data: {} })
      case 'set_api_access': {
        const { access, allowedBy } = command
        if (state.api?.access === access) return accept()
        return accept({ type: 'application.api_access_set.v1', data: { access, allowedBy } })
      }
    }
  },
}

/** One for each application, with the same ID. It can be set again after a removal. */
export type ApplicationSecret = { readonly status: 'none' } | { readonly status: 'set'; readonly secret: SecretHash }

export type ApplicationSecretCommand =
  | { readonly type: 'set'; readonly hash: string }
  /** Nothing happens when the secret is another one meanwhile. */
  | { readonly type: 'rehash'; readonly from: string; readonly hash: string }
  | { readonly type: 'remove' }

export const applicationSecret: Decider<
  ApplicationSecretCommand,
  ApplicationSecret,
  ApplicationSecretEvent,
  ApplicationRefusal
> = {
  initial: { status: 'none' },

  evolve(_, event) {
    return event.type === 'application_secret.removed.v1'
      ? { status: 'none' }
      : { status: 'set', secret: event.data.secret }
  },

  decide(command, state) {
    if (command.type === 'set') {
      return accept({ type: 'application_secret.set.v1', data: { secret: { hash: command.hash } } })
    }
    if (command.type === 'rehash') {
      return state.status === 'set' && state.secret.hash === command.from
        ? accept({ type: 'application_secret.rehashed.v1', data: { secret: { hash: command.hash } } })
        : accept()
    }
    return state.status === 'set' ? accept({ type: 'application_secret.removed.v1', data: {} }) : accept()
  },
}

export interface ActiveApplicationKey {
  readonly status: 'active'
  readonly applicationId: string
  readonly projectId: string
  /** SPKI in PEM. */
  readonly publicKey: string
  readonly expiresAt: Instant
}

export type ApplicationKey = { readonly status: 'unknown' } | { readonly status: 'removed' } | ActiveApplicationKey

export type ApplicationKeyCommand =
  | {
      readonly type: 'add'
      readonly applicationId: string
      readonly projectId: string
      readonly publicKey: string
      readonly expiresAt: Instant
      readonly at: Instant
    }
  | { readonly type: 'remove' }

export const applicationKey: Decider<ApplicationKeyCommand, ApplicationKey, ApplicationKeyEvent, ApplicationRefusal> = {
  initial: { status: 'unknown' },

  evolve(_, event) {
    return event.type === 'application_key.added.v1' ? { status: 'active', ...event.data } : { status: 'removed' }
  },

  decide(command, state) {
    if (command.type === 'remove') {
      return state.status === 'active'
        ? accept({ type: 'application_key.removed.v1', data: {} })
        : refuse('application.key_not_found')
    }
    if (state.status !== 'unknown') return refuse('application.key_id_taken')
    if (command.expiresAt <= command.at) return refuse('application.key_expiration_past')
    const { applicationId, projectId, publicKey, expiresAt } = command
    return accept({ type: 'application_key.added.v1', data: { applicationId, projectId, publicKey, expiresAt } })
  },
}
