/** The card of one kind of settings: its form, whose settings they are, and the way back to those of the instance. */
import type { DescMessage } from '@bufbuild/protobuf'
import type { ReactNode } from 'react'
import { FormSection } from '../../parts/form-section.tsx'
import { PolicyOrigin, ResetButton } from '../../parts/policy/policy-origin.tsx'
import type { PolicyAccess } from '../../parts/policy/use-policy.ts'
import type { ServerForm } from '../../parts/use-server-form.ts'

interface PolicyFormProps<Values extends Record<string, unknown>> {
  readonly title: string
  readonly description?: string
  readonly anchor: string
  readonly policy: PolicyAccess<DescMessage, DescMessage>
  readonly server: ServerForm<Values>
  readonly children: ReactNode
}

/** The card. */
export function PolicyForm<Values extends Record<string, unknown>>(props: PolicyFormProps<Values>) {
  const { title, description, anchor, policy, server, children } = props
  const { form, problems } = server
  const send = form.onSubmit(async (values) => {
    if ((await policy.save(values as never)) !== undefined) form.resetDirty()
  })
  return (
    <FormSection
      title={title}
      anchor={anchor}
      {...(description !== undefined && { description })}
      badge={<PolicyOrigin isInstance={policy.isInstance} isInherited={policy.isInherited} />}
      problems={problems}
      mayWrite={policy.mayWrite}
      isRunning={policy.isRunning}
      isDirty={form.isDirty()}
      onSubmit={send}
      actions={
        <ResetButton name={title} isShown={policy.mayReset} isRunning={policy.isRunning} onReset={policy.reset} />
      }
    >
      {children}
    </FormSection>
  )
}

/** Changes with the owner, so that forms start anew; for `key`. */
export function ownerKey({ isInstance, isInherited }: { isInstance: boolean; isInherited: boolean }): string {
  return `${isInstance} ${isInherited}`
}
