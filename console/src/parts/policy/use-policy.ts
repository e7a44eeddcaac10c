/** Settings that an organization can have of its own: reads those that apply, and changes those of the owner. */
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { useTexts } from '../../texts/index.tsx'
import { partsTexts } from '../texts/index.ts'
import { useAction } from '../use-action.ts'

type AnyMethod = DescMethodUnary<DescMessage, DescMessage>

/** The methods of one kind of settings. The messages of `update` and `add` have the same fields. */
export interface PolicyMethods<Read extends DescMessage, Update extends DescMessage> {
  readonly instance: {
    readonly get: DescMethodUnary<DescMessage, Read>
    readonly update: DescMethodUnary<Update, DescMessage>
  }
  readonly organization: {
    readonly get: AnyMethod
    readonly add: AnyMethod
    readonly update: AnyMethod
    readonly reset: AnyMethod
  }
}

/** The method of the instance or that of the organization, whose messages have the same fields. */
export function ownersMethod<Input extends DescMessage, Output extends DescMessage>(
  isInstance: boolean,
  instance: DescMethodUnary<Input, Output>,
  organization: AnyMethod,
): DescMethodUnary<Input, Output> {
  return isInstance ? instance : (organization as DescMethodUnary<Input, Output>)
}

type PolicyOf<Read extends DescMessage> =
  MessageShape<Read> extends { policy?: infer Policy } ? NonNullable<Policy> : never

export interface PolicyAccess<Read extends DescMessage, Update extends DescMessage> {
  readonly query: { readonly data: PolicyOf<Read> | undefined; readonly error: unknown; refetch(): unknown }
  /** Whether the organization has none of its own, so that those of the instance apply. */
  readonly isInherited: boolean
  readonly isInstance: boolean
  readonly mayWrite: boolean
  readonly mayReset: boolean
  /** Resolves with undefined when it failed. */
  save(message: MessageInitShape<Update>): Promise<unknown>
  reset(): Promise<unknown>
  readonly isRunning: boolean
}

interface PolicyOptions {
  onError?(error: unknown): boolean
  /** More that is read again after a change. */
  readonly changes?: readonly AnyMethod[]
  readonly resetDone?: string
}

/** Reads and changes the settings of the owner that is chosen. */
export function usePolicy<Read extends DescMessage, Update extends DescMessage>(
  methods: PolicyMethods<Read, Update>,
  { onError, changes = [], resetDone }: PolicyOptions = {},
): PolicyAccess<Read, Update> {
  const t = useTexts(partsTexts)
  const { organizationId, mayWrite, mayReset } = useSettingsOwner()
  const isInstance = organizationId === undefined
  const get = (isInstance ? methods.instance.get : methods.organization.get) as AnyMethod
  const query = useQuery(get, {} as never)
  const answer = query.data as unknown as { readonly policy?: PolicyOf<Read> & { readonly isDefault?: boolean } }
  const isInherited = !isInstance && answer?.policy?.isDefault === true
  const update = isInherited ? methods.organization.add : methods.organization.update
  const options = { done: t.saved, changes: [get, ...changes], ...(onError && { onError }) }
  const saving = useAction((isInstance ? methods.instance.update : update) as AnyMethod, options)
  const resetting = useAction(methods.organization.reset, { ...options, done: resetDone ?? t.saved })
  return {
    query: { data: answer?.policy, error: query.error, refetch: query.refetch },
    isInherited,
    isInstance,
    mayWrite,
    mayReset: mayReset && !isInstance && !isInherited,
    save: (message) => saving.run(message as never),
    reset: () => resetting.run({} as never),
    isRunning: saving.isRunning || resetting.isRunning,
  }
}
