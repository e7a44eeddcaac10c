/**
 * The rules of what messages are sent through: mail servers, webhooks and accounts elsewhere. Each has settings and one secret, is
 * switched on and off, and says by a row what its events are called and what it refuses. Pure.
 */
import { accept, type Decider, type Decision, refuse } from './decider.ts'
import type { AnyEvent } from './event.ts'

/** A provider that exists. Its secret has at most one member, which is sealed. */
interface Living {
  readonly type: string
  readonly status: 'active' | 'inactive'
  readonly secret: object
}

/** What is set of a provider, apart from its secret. */
type Settings<One extends Living> = Omit<One, keyof Living>

export type Provider<One extends Living> = { readonly status: 'unknown' } | { readonly status: 'removed' } | One

/** What differs from one type to another. */
interface Row<One extends Living, Name extends string, Code extends string> {
  readonly type: One['type']
  /** The member of the secret. */
  readonly member: string
  readonly starts: One['status']
  readonly events: Readonly<
    Record<'added' | 'changed' | 'resealed' | 'activated' | 'deactivated' | 'removed', Name>
  > & {
    /** Of a provider whose secret is set alone. */
    readonly secretChanged?: Name
  }
  isSame(one: Settings<One>, other: Settings<One>): boolean
  /** The refusal of a change without effect. Not given: it writes nothing. */
  readonly unchanged?: Code
  /** The refusal to activate what is active. Not given: it writes nothing. */
  readonly alreadyActive?: Code
}

type RowOf<One extends Living, Name extends string, Code extends string> = One extends Living
  ? Row<One, Name, Code>
  : never

type CommandOf<One extends Living> = One extends Living
  ?
      | {
          readonly type: 'add'
          readonly of: One['type']
          readonly settings: Settings<One>
          readonly secret: One['secret']
        }
      /** Without `secret`, it stays. `mayBeSame`: a change without effect is accepted everywhere. */
      | {
          readonly type: 'change'
          readonly of: One['type']
          readonly settings: Settings<One>
          readonly secret?: One['secret']
          readonly mayBeSame?: boolean
        }
      | { readonly type: 'change_secret'; readonly of: One['type']; readonly secret: One['secret'] }
  : never

export type ProviderCommand<One extends Living> =
  | CommandOf<One>
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly after: string }
  | { readonly type: 'activate' | 'deactivate' | 'remove' }

/** Whether a provider exists, active or not. */
export function isProvider<One extends Living>(state: Provider<One>): state is One {
  return state.status === 'active' || state.status === 'inactive'
}

/** Whether these members are equal. */
export function sameMembers<Name extends string>(...names: readonly Name[]) {
  return (one: Readonly<Record<Name, unknown>>, other: Readonly<Record<Name, unknown>>): boolean =>
    names.every((name) => one[name] === other[name])
}

/** The rules of the providers of these rows, and what is sealed of one. */
export function messageProviders<One extends Living, Event extends AnyEvent, Code extends string>(
  codes: Readonly<Record<'taken' | 'notFound' | 'inactive', Code>>,
  ...given: readonly RowOf<One, Event['type'], Code>[]
) {
  const rows = given as unknown as readonly Row<Living, string, Code>[]
  const rowOf = (type: string) => rows.find((row) => row.type === type) as Row<Living, string, Code>
  const secretOf = ({ type, secret }: Living) => (secret as Readonly<Record<string, string>>)[rowOf(type).member]
  const happens = (type: string | undefined, data: object): Decision<Event, Code> =>
    type === undefined ? refuse(codes.notFound) : accept({ type, data } as unknown as Event)
  const unless = (refusal: Code | undefined): Decision<Event, Code> =>
    refusal === undefined ? accept() : refuse(refusal)

  function decideLiving(
    command: Exclude<ProviderCommand<Living>, { readonly type: 'add' }>,
    state: Living,
  ): Decision<Event, Code> {
    const { events, member, isSame, unchanged, alreadyActive } = rowOf(state.type)
    if ('of' in command && command.of !== state.type) return refuse(codes.notFound)
    switch (command.type) {
      case 'change': {
        const { settings, secret, mayBeSame } = command
        if (secret === undefined && isSame(settings, state)) return unless(mayBeSame === true ? undefined : unchanged)
        return happens(events.changed, { ...settings, ...(secret && { secret }) })
      }
      case 'change_secret':
        return happens(events.secretChanged, { secret: command.secret })
      case 'reseal':
        if (secretOf(state) !== command.before) return accept()
        return happens(events.resealed, { secret: { [member]: command.after } })
      case 'activate':
        return state.status === 'active' ? unless(alreadyActive) : happens(events.activated, {})
      case 'deactivate':
        return state.status === 'inactive' ? refuse(codes.inactive) : happens(events.deactivated, {})
      case 'remove':
        return happens(events.removed, {})
    }
  }

  function evolveLiving(state: Living, { type: name, data }: AnyEvent): Provider<Living> {
    const { type, status, secret } = state
    const { events } = rowOf(type)
    switch (name) {
      case events.changed:
        return { type, status, secret, ...(data as object) }
      case events.secretChanged:
      case events.resealed:
        return { ...state, ...(data as object) }
      case events.activated:
        return { ...state, status: 'active' }
      case events.deactivated:
        return { ...state, status: 'inactive' }
      case events.removed:
        return { status: 'removed' }
      default:
        return state
    }
  }

  const decider: Decider<ProviderCommand<One>, Provider<One>, Event, Code> = {
    initial: { status: 'unknown' },
    evolve(state, event) {
      const added = rows.find(({ events }) => events.added === event.type)
      if (added !== undefined)
        return { type: added.type, status: added.starts, ...(event.data as object) } as unknown as One
      return isProvider(state) ? (evolveLiving(state, event) as Provider<One>) : state
    },
    decide(asked, state) {
      const command = asked as ProviderCommand<Living>
      if (command.type !== 'add') return isProvider(state) ? decideLiving(command, state) : refuse(codes.notFound)
      if (state.status !== 'unknown') return refuse(codes.taken)
      return happens(rowOf(command.of).events.added, { ...command.settings, secret: command.secret })
    },
  }

  /** For the kind: its secret, and the command that stores it sealed again. */
  function sealed(state: Provider<One>) {
    const before = isProvider(state) ? secretOf(state) : undefined
    if (!isProvider(state) || before === undefined) return []
    return [
      {
        member: rowOf(state.type).member,
        text: before,
        reseal: (after: string) => ({ type: 'reseal', before, after }) as const,
      },
    ]
  }

  return { decider, sealed }
}
