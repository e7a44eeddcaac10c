/** The settings of the mail server, and a test with what is entered. */
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { Checkbox, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { SMTPConfig } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { SmtpTest } from './smtp-test.tsx'
import { valuesOf } from './smtp-values.ts'
import { mailTexts } from './texts/index.ts'

interface SmtpFormProps {
  readonly server: SMTPConfig | undefined
  readonly mayWrite: boolean
  readonly reads: readonly DescMethodUnary[]
}

/** Adds the server where there is none, else changes it. */
export function SmtpForm({ server, mayWrite, reads }: SmtpFormProps) {
  const t = useTexts(mailTexts)
  const { saved, required } = useTexts(partsTexts)
  const fields = Object.keys(valuesOf(server)).map((name) => [name, name])
  const { form, problems, showError } = useServerForm({
    initialValues: valuesOf(server),
    validate: { host: isNotEmpty(required), senderAddress: isNotEmpty(required), senderName: isNotEmpty(required) },
    paths: Object.fromEntries(fields),
  })
  const after = { changes: reads, onError: showError }
  const add = useAction(AdminService.method.addSMTPConfig, { ...after, done: t.server.added })
  const update = useAction(AdminService.method.updateSMTPConfig, {
    ...after,
    done: saved,
    onDone: () => {
      form.setFieldValue('password', '')
      form.resetDirty()
    },
  })
  const send = form.onSubmit((values) =>
    server === undefined ? add.run(values) : update.run({ id: server.id, ...values }),
  )
  return (
    <Stack>
      <FormSection
        anchor="server"
        title={t.server.settings}
        problems={problems}
        mayWrite={mayWrite}
        isRunning={add.isRunning || update.isRunning}
        isDirty={form.isDirty()}
        onSubmit={send}
        {...(server === undefined && { saveLabel: t.server.add })}
      >
        <TextInput
          label={t.server.host}
          description={t.server.hostHint}
          placeholder="smtp.example.com:587"
          required
          {...form.getInputProps('host')}
        />
        <Checkbox
          label={t.server.tls}
          description={t.server.tlsHint}
          {...form.getInputProps('tls', { type: 'checkbox' })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t.server.user}
            description={t.server.userHint}
            autoComplete="off"
            {...form.getInputProps('user')}
          />
          <PasswordInput
            label={t.server.password}
            description={server === undefined ? '\u00a0' : t.server.passwordHint}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <TextInput label={t.server.senderAddress} type="email" required {...form.getInputProps('senderAddress')} />
          <TextInput label={t.server.senderName} required {...form.getInputProps('senderName')} />
        </SimpleGrid>
        <TextInput
          label={t.server.replyTo}
          description={t.server.replyToHint}
          {...form.getInputProps('replyToAddress')}
        />
        <TextInput label={t.description} {...form.getInputProps('description')} />
      </FormSection>
      {mayWrite && <SmtpTest id={server?.id ?? ''} values={form.values} />}
    </Stack>
  )
}
