/** How an application proves who it is: its secret, or its keys. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { Section } from '../../parts/section.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { KeysSection } from './keys-section.tsx'
import { clientIdOf, hasKeys, hasSecret } from './kinds.ts'
import { OneTimeSecret } from './start/one-time-secret.tsx'
import { applicationTexts } from './texts/index.ts'

interface CredentialsTabProps {
  readonly application: Application
  readonly mayWrite: boolean
}

/** The tab. */
export function CredentialsTab({ application, mayWrite }: CredentialsTabProps) {
  const t = useTexts(applicationTexts)
  return (
    <Stack>
      {hasSecret(application) && (
        <Section title={t.clientSecret} description={t.secretHint}>
          <CopyField label={t.clientId} value={clientIdOf(application)} />
          {mayWrite && <NewSecret application={application} />}
        </Section>
      )}
      {hasKeys(application) && <KeysSection application={application} mayWrite={mayWrite} />}
    </Stack>
  )
}

function NewSecret({ application: { applicationId, projectId, name } }: { readonly application: Application }) {
  const t = useTexts(applicationTexts)
  const { cancel, close: closeLabel } = useTexts(partsTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState('')
  const [isKept, setIsKept] = useState(false)
  const generate = useAction(ApplicationService.method.generateClientSecret, {
    done: t.secretDone,
    onDone: ({ clientSecret }) => {
      setSecret(clientSecret)
      setIsKept(false)
      close()
    },
  })
  return (
    <>
      {secret !== '' && (
        <OneTimeSecret
          key={secret}
          label={t.clientSecret}
          value={secret}
          isKept={isKept}
          onKept={() => setIsKept(true)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={open}>
          {t.newSecret}
        </Button>
      </Group>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t.newSecretTitle({ name })}
        closeButtonProps={{ 'aria-label': closeLabel }}
      >
        <Stack>
          <Text size="sm">{t.newSecretHint}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {cancel}
            </Button>
            <Button loading={generate.isRunning} onClick={() => generate.run({ applicationId, projectId })}>
              {t.newSecret}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
