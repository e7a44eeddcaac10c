/** A form whose fields show what the server says about them. */
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { readFailure } from '../api/errors.ts'
import { useUnsaved } from './unsaved.ts'

export interface ServerFormOptions<Values> extends UseFormInput<Values> {
  /** For each field of the form, the path of the field in the request: `email: 'human.email.email'`. */
  readonly paths: Partial<Readonly<Record<keyof Values & string, string>>>
  /** For refusals without a path: their code and the field they belong to. */
  readonly refusals?: Readonly<Record<string, keyof Values & string>>
}

export interface ServerForm<Values extends Record<string, unknown>> {
  readonly form: UseFormReturnType<Values>
  /** What the server says about no field of the form; for the top of it. */
  readonly problems: readonly string[]
  /**
   * Shows an error in the form; false when it says nothing about the input. For `useAction({ onError })`. `more`: fields by
   * their paths in the request, where these depend on what was sent.
   */
  showError(error: unknown, more?: ReadonlyMap<string, string>): boolean
}

/** Opens a form. Give `showError` to the action that sends it. */
export function useServerForm<Values extends Record<string, unknown>>({
  paths,
  refusals = {},
  ...options
}: ServerFormOptions<Values>): ServerForm<Values> {
  // What was sent is saved, unless the answer or another change says otherwise.
  const isSent = useRef(false)
  const form = useForm<Values>({
    mode: 'controlled',
    ...options,
    onValuesChange(values, previous) {
      isSent.current = false
      options.onValuesChange?.(values, previous)
    },
    onSubmitPreventDefault: 'always',
  })
  useUnsaved(() => !isSent.current && form.isDirty())
  const [problems, setProblems] = useState<readonly string[]>([])
  const fieldAt = new Map(Object.entries(paths).map(([field, path]) => [path as string, field]))
  return {
    form: {
      ...form,
      onSubmit: (send, failed) =>
        form.onSubmit((values, event) => {
          isSent.current = true
          return send(values as never, event)
        }, failed),
    } as UseFormReturnType<Values>,
    problems,
    showError(error, more) {
      isSent.current = false
      const { id, message, violations } = readFailure(error)
      const named = refusals[id]
      const found =
        violations.length > 0 ? violations : named ? [{ field: paths[named] ?? named, description: message }] : []
      const errors: Record<string, string> = {}
      const others: string[] = []
      for (const { field, description } of found) {
        const name = more?.get(field) ?? fieldAt.get(field) ?? (named && field === named ? named : undefined)
        if (name === undefined) others.push(`${field} ${description}`)
        else errors[name] = sentenceOf(description)
      }
      form.setErrors(errors as never)
      setProblems(others)
      return found.length > 0
    },
  }
}

/** "must be an email address" → "Must be an email address". */
function sentenceOf(description: string): string {
  return description.charAt(0).toUpperCase() + description.slice(1)
}
