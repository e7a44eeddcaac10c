/** The rules of the instance, its key ring and its setup codes. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { type Generations, isCurrent } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import { nameProblem } from '../../kernel/name.ts'
import type { InstanceEvent, KeyRingEvent, SetupCodeEvent } from './events.ts'
import type { InstanceRefusal } from './refusals.ts'

export type Instance =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'running'
      readonly name: string
      readonly defaultOrganizationId: string
      readonly administratorId: string
      readonly machineAdministratorId: string
      /** Not set before the first start that creates the project. */
      readonly api?: ApiProject
    }

type DataOf<Type extends InstanceEvent['type']> = Extract<InstanceEvent, { readonly type: Type }>['data']

/** The project that stands for the API of this server, and the application of the console in it. */
export type ApiProject = DataOf<'instance.api_project_set.v1'>

export type InstanceCommand =
  | ({ readonly type: 'create' } & DataOf<'instance.created.v1'>)
  | ({ readonly type: 'set_api_project' } & ApiProject)
  | { readonly type: 'rename'; readonly name: string }
  /** The handler checks that the organization exists. */
  | { readonly type: 'set_default_organization'; readonly organizationId: string }

export const instance: Decider<InstanceCommand, Instance, InstanceEvent, InstanceRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'instance.created.v1') {
      const { name, defaultOrganizationId, administratorId, machineAdministratorId } = event.data
      return { status: 'running', name, defaultOrganizationId, administratorId, machineAdministratorId }
    }
    if (state.status !== 'running') return state
    switch (event.type) {
      case 'instance.api_project_set.v1':
        return { ...state, api: event.data }
      case 'instance.renamed.v1':
        return { ...state, name: event.data.name }
      case 'instance.default_organization_set.v1':
        return { ...state, defaultOrganizationId: event.data.organizationId }
    }
  },

  decide(command, state) {
    if (command.type === 'create') {
      if (state.status !== 'unknown') return refuse('instance.exists')
      const { type: _, ...data } = command
      return accept({ type: 'instance.created.v1', data })
    }
    if (state.status !== 'running') return refuse('instance.not_found')
    if (command.type === 'rename') {
      const { name } = command
      if (nameProblem(name) !== undefined) return refuse('instance.name_invalid')
      return name === state.name ? accept() : accept({ type: 'instance.renamed.v1', data: { name } })
    }
    if (command.type === 'set_default_organization') {
      const { organizationId } = command
      if (organizationId === state.defaultOrganizationId) return accept()
      return accept({ type: 'instance.default_organization_set.v1', data: { organizationId } })
    }
    // The first one counts. Tokens name it as their audience.
    if (state.api !== undefined) return refuse('instance.api_project_exists')
    const { type: _, ...data } = command
    return accept({ type: 'instance.api_project_set.v1', data })
  },
}

/** The data keys, oldest first; the last one is active. */
export interface StoredKeyRing {
  readonly keyIds: readonly string[]
  /** The data keys by ID, each encrypted with a master key. */
  readonly secret: { readonly wrapped: Readonly<Record<string, string>> }
}

export type KeyRingCommand =
  | { readonly type: 'add_key'; readonly keyId: string; readonly wrapped: string }
  | { readonly type: 'remove_key'; readonly keyId: string }

export const keyRing: Decider<KeyRingCommand, StoredKeyRing, KeyRingEvent, InstanceRefusal> = {
  initial: { keyIds: [], secret: { wrapped: {} } },

  evolve({ keyIds, secret: { wrapped } }, { type, data }) {
    if (type === 'key_ring.key_added.v1') {
      return {
        keyIds: [...keyIds, data.keyId],
        secret: { wrapped: { ...wrapped, [data.keyId]: data.secret.wrapped } },
      }
    }
    const { [data.keyId]: _, ...rest } = wrapped
    return { keyIds: keyIds.filter((keyId) => keyId !== data.keyId), secret: { wrapped: rest } }
  },

  decide(command, { keyIds }) {
    const { keyId } = command
    if (command.type === 'add_key') {
      if (keyIds.includes(keyId)) return refuse('instance.key_exists')
      return accept({ type: 'key_ring.key_added.v1', data: { keyId, secret: { wrapped: command.wrapped } } })
    }
    if (!keyIds.includes(keyId)) return refuse('instance.key_not_found')
    if (keyIds.at(-1) === keyId) return refuse('instance.key_active')
    return accept({ type: 'key_ring.key_removed.v1', data: { keyId } })
  },
}

/** A code that can be used. */
export interface OpenSetupCode {
  readonly status: 'open'
  readonly expiresAt: Instant
  /** Only for a code that restores the access of an administrator. */
  readonly recovery?: { readonly resetsFactors: boolean }
  readonly generations?: Generations<'user'>
  readonly secret: { readonly hash: string }
}

export type SetupCode =
  | { readonly status: 'unknown' }
  | OpenSetupCode
  | { readonly status: 'used'; readonly usedAt: Instant }

interface NewSetupCode {
  readonly hash: string
  readonly expiresAt: Instant
  readonly generations: Generations<'user'>
}

export type SetupCodeCommand =
  /** Replaces an unused code. */
  | ({ readonly type: 'issue' } & NewSetupCode)
  /** For an administrator who was set up before and cannot sign in any more. */
  | ({ readonly type: 'recover'; readonly resetsFactors: boolean } & NewSetupCode)
  /** `hash` is the one the code was compared with: a code that was issued or used meanwhile has changed it. */
  | {
      readonly type: 'use'
      readonly matches: boolean
      readonly hash: string
      readonly at: Instant
      readonly now: Generations<'user'>
    }

export const setupCode: Decider<SetupCodeCommand, SetupCode, SetupCodeEvent, InstanceRefusal> = {
  initial: { status: 'unknown' },

  evolve(_, { type, data }) {
    switch (type) {
      case 'setup_code.issued.v1':
        return { status: 'open', ...data }
      case 'setup_code.recovery_issued.v1': {
        const { resetsFactors, ...others } = data
        return { status: 'open', ...others, recovery: { resetsFactors } }
      }
      case 'setup_code.used.v1':
        return { status: 'used', usedAt: data.usedAt }
    }
  },

  decide(command, state) {
    if (command.type === 'issue') {
      const isSetUp = state.status === 'used' || (state.status === 'open' && state.recovery !== undefined)
      if (isSetUp) return refuse('instance.setup_done')
      const { expiresAt, generations, hash } = command
      return accept({ type: 'setup_code.issued.v1', data: { expiresAt, generations, secret: { hash } } })
    }
    if (command.type === 'recover') {
      const { expiresAt, resetsFactors, generations, hash } = command
      const data = { expiresAt, resetsFactors, generations, secret: { hash } }
      return accept({ type: 'setup_code.recovery_issued.v1', data })
    }
    // Used, expired, wrong, never issued: the same answer, so that an attempt reveals nothing.
    const isRight =
      state.status === 'open' &&
      command.matches &&
      command.hash === state.secret.hash &&
      command.at < state.expiresAt &&
      isCurrent(command.now, state.generations)
    return isRight
      ? accept({ type: 'setup_code.used.v1', data: { usedAt: command.at } })
      : refuse('instance.setup_code_invalid')
  },
}
