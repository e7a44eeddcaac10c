/** Sends a test mail with the settings of the form, and shows what the mail server answered. */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { isEmail } from '@mantine/form'
import { useState } from 'react'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { readFailure } from '../../api/errors.ts'
import { Icon } from '../../parts/icons.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { type SmtpValues, settingsOf } from './smtp-values.ts'
import { mailTexts } from './texts/index.ts'

interface SmtpTestProps {
  /** The stored server whose password is used when none is entered; empty: none. */
  readonly id: string
  readonly values: SmtpValues
}

/** The card. */
export function SmtpTest({ id, values }: SmtpTestProps) {
  const t = useTexts(mailTexts)
  const [problem, setProblem] = useState<string>()
  const { form, showError } = useServerForm({
    initialValues: { receiverAddress: '' },
    validate: { receiverAddress: isEmail(t.test.address) },
    paths: { receiverAddress: 'receiverAddress' },
  })
  const test = useAction(AdminService.method.testEmailProviderSMTP, {
    done: t.test.done,
    onError(error) {
      const { message, violations } = readFailure(error)
      showError(error)
      const others = violations.filter(({ field }) => field !== 'receiverAddress')
      setProblem([message, ...others.map(({ field, description }) => `${field}: ${description}`)].join(' '))
      return true
    },
  })
  const send = form.onSubmit(({ receiverAddress }) => {
    setProblem(undefined)
    const { senderAddress, senderName, tls, host, user, auth } = settingsOf(values)
    return test.run({ senderAddress, senderName, tls, host, user, auth, id, receiverAddress })
  })
  return (
    <Section title={t.test.title} description={t.test.hint}>
      <form onSubmit={send} noValidate>
        <Stack>
          <Group align="flex-start">
            <TextInput
              flex="1 1 14rem"
              label={t.test.receiver}
              type="email"
              required
              {...form.getInputProps('receiverAddress')}
            />
            <Button type="submit" variant="default" loading={test.isRunning} mt={25}>
              {t.test.send}
            </Button>
          </Group>
          {problem !== undefined && (
            <Alert color="red" icon={<Icon name="warning" />} title={t.test.failed}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {problem}
              </Text>
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  )
}
