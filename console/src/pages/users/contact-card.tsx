/** One way to reach a person: the value, its verification, and how to change both. */
import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf'
import { Button, Checkbox, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import type { ReactNode } from 'react'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { USER_READS } from './changed-methods.ts'
import { userTexts } from './texts/index.ts'

interface ContactCardProps<Set extends DescMessage, Resend extends DescMessage, Verify extends DescMessage> {
  readonly title: string
  readonly hint?: string
  readonly type: 'email' | 'tel'
  readonly value: string
  readonly isVerified: boolean
  readonly mayWrite: boolean
  readonly mayDeclareVerified: boolean
  /** The field of the request that the server complains about. */
  readonly path: string
  readonly set: DescMethodUnary<Set, DescMessage>
  toSet(value: string, isVerified: boolean): MessageInitShape<Set>
  readonly resend: DescMethodUnary<Resend, DescMessage>
  toResend(): MessageInitShape<Resend>
  readonly verify: DescMethodUnary<Verify, DescMessage>
  toVerify(code: string): MessageInitShape<Verify>
  readonly more?: ReactNode
}

/** The card. */
export function ContactCard<Set extends DescMessage, Resend extends DescMessage, Verify extends DescMessage>(
  props: ContactCardProps<Set, Resend, Verify>,
) {
  const { title, hint, type, value, isVerified, mayWrite, mayDeclareVerified, path, set, toSet, more } = props
  const t = useTexts(userTexts)
  const { save: saveLabel, saved, required } = useTexts(partsTexts)
  const { form, showError } = useServerForm({
    initialValues: { value, isVerified: false },
    validate: { value: isNotEmpty(required) },
    paths: { value: path },
  })
  const save = useAction(set, {
    done: saved,
    changes: USER_READS,
    onError: showError,
    onDone: () => form.resetDirty(),
  })
  const send = form.onSubmit((given) => save.run(toSet(given.value, given.isVerified)))
  return (
    <Section title={title} badge={value !== '' && <VerificationBadge isVerified={isVerified} />}>
      {(!mayWrite || value === '') && <Text style={{ overflowWrap: 'anywhere' }}>{value || t.contact.none}</Text>}
      {mayWrite && value !== '' && !isVerified && <Verification {...props} />}
      {mayWrite && (
        <form onSubmit={send} noValidate>
          <Fieldset variant="unstyled">
            <Stack>
              <TextInput label={title} description={hint} type={type} required {...form.getInputProps('value')} />
              {mayDeclareVerified && (
                <Checkbox
                  label={t.contact.treatAsVerified}
                  {...form.getInputProps('isVerified', { type: 'checkbox' })}
                />
              )}
              <Group justify="flex-end">
                {more}
                <Button type="submit" loading={save.isRunning} disabled={!form.isDirty()}>
                  {saveLabel}
                </Button>
              </Group>
            </Stack>
          </Fieldset>
        </form>
      )}
    </Section>
  )
}

function Verification<Set extends DescMessage, Resend extends DescMessage, Verify extends DescMessage>(
  props: ContactCardProps<Set, Resend, Verify>,
) {
  const t = useTexts(userTexts)
  const { required } = useTexts(partsTexts)
  const { form, showError } = useServerForm({
    initialValues: { code: '' },
    validate: { code: isNotEmpty(required) },
    paths: { code: 'verificationCode' },
  })
  const resend = useAction(props.resend, { done: t.contact.resent })
  const verify = useAction(props.verify, { done: t.contact.verifiedDone, changes: USER_READS, onError: showError })
  return (
    <form onSubmit={form.onSubmit(({ code }) => verify.run(props.toVerify(code.trim())))} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput label={t.contact.code} autoComplete="off" {...form.getInputProps('code')} />
        <Button type="submit" variant="default" loading={verify.isRunning}>
          {t.contact.verify}
        </Button>
        <Button variant="subtle" loading={resend.isRunning} onClick={() => resend.run(props.toResend())}>
          {t.contact.resend}
        </Button>
      </Group>
    </form>
  )
}

function VerificationBadge({ isVerified }: { readonly isVerified: boolean }) {
  const { contact } = useTexts(userTexts)
  const label = isVerified ? contact.verified : contact.notVerified
  return <StateBadge mood={isVerified ? 'good' : 'waiting'} label={label} />
}
