/** Tokens with which clients register themselves for a project. Each is shown once. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  ApplicationService,
  type CreateRegistrationTokenResponse,
} from '../../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { Section } from '../../../parts/section.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { apiTexts } from './texts/index.ts'

/** The card. */
export function TokensSection({ projectId }: { readonly projectId: string }) {
  const { tokens: t } = useTexts(apiTexts)
  const [created, setCreated] = useState<CreateRegistrationTokenResponse>()
  const create = useAction(ApplicationService.method.createRegistrationToken, { done: t.created, onDone: setCreated })
  return (
    <Section title={t.title} description={t.description}>
      <Group>
        <Button variant="default" loading={create.isRunning} onClick={() => create.run({ projectId })}>
          {t.create}
        </Button>
      </Group>
      {created && <CreatedToken created={created} onClose={() => setCreated(undefined)} />}
    </Section>
  )
}

interface CreatedTokenProps {
  readonly created: CreateRegistrationTokenResponse
  onClose(): void
}

function CreatedToken({ created: { token, expirationDate }, onClose }: CreatedTokenProps) {
  const { tokens: t } = useTexts(apiTexts)
  const { close } = useTexts(partsTexts)
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.token}
      closeButtonProps={{ 'aria-label': close }}
      closeOnClickOutside={false}
    >
      <Stack>
        <CopyField label={t.token} value={token} isSecret />
        {expirationDate && <Text size="sm">{t.expires({ time: format.format(timestampDate(expirationDate)) })}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
