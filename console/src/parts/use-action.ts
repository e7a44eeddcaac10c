/** One change: calls a method, tells the user how it went, and reads again what it changed. */
import type { DescMessage, DescMethod, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { createConnectQueryKey, useMutation } from '@connectrpc/connect-query'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../texts/index.tsx'
import { useFailureSentence } from './failure-notice.tsx'
import { partsTexts } from './texts/index.ts'

export interface ActionOptions<Output extends DescMessage> {
  /** What the user reads when it is done. */
  readonly done: string
  /** The methods whose answers it changes; all that were read with them is read again. */
  readonly changes?: readonly DescMethod[]
  onDone?(answer: MessageShape<Output>): unknown
  /** Shows the error elsewhere, in a form for example. Returns whether it did; a notification says it otherwise. */
  onError?(error: unknown): boolean
}

export interface Action<Input extends DescMessage, Output extends DescMessage> {
  /** Resolves with the answer, or with undefined when it failed; the user knows then. */
  run(message: MessageInitShape<Input>): Promise<MessageShape<Output> | undefined>
  readonly isRunning: boolean
}

/** Prepares a change. */
export function useAction<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  { done, changes = [], onDone, onError }: ActionOptions<Output>,
): Action<Input, Output> {
  const queries = useQueryClient()
  const sentence = useFailureSentence()
  const mutation = useMutation(method)
  const { close } = useTexts(partsTexts)
  const closeButtonProps = { 'aria-label': close }
  return {
    isRunning: mutation.isPending,
    async run(message) {
      try {
        const answer = await mutation.mutateAsync(message)
        notifications.show({ message: done, color: 'green', closeButtonProps })
        await onDone?.(answer)
        for (const schema of changes) {
          const queryKey = createConnectQueryKey({ schema: schema as DescMethodUnary, cardinality: undefined })
          void queries.invalidateQueries({ queryKey })
        }
        return answer
      } catch (error) {
        if (onError?.(error) !== true)
          notifications.show({ message: sentence(error), color: 'red', autoClose: 10_000, closeButtonProps })
        return undefined
      }
    },
  }
}
