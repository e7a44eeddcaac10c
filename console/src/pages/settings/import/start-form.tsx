/** What belongs to a product, the dry run, and the start. */
import { Alert, Button, Group, PasswordInput, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isUnread } from '../../../../../src/kernel/import-report.ts'
import { Section } from '../../../parts/section.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { type ImportState, startImport } from './import-api.ts'
import { moveTexts } from './texts/index.ts'
import { useImportCall } from './use-import-call.ts'

interface StartFormProps {
  readonly state: ImportState
  onChanged(): Promise<unknown>
}

/** The form. A passphrase is sent with a start and kept nowhere. */
export function StartForm({ state: { product, run }, onChanged }: StartFormProps) {
  const t = useTexts(moveTexts)
  const [target, setTarget] = useState('organization')
  const [oldUrl, setOldUrl] = useState('')
  const [name, setName] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const call = useImportCall(onChanged)
  const mustRead = isUnread(run)
  const wasTried = run?.isDryRun === true && run.status === 'done'
  const start = (dryRun: boolean) =>
    call.run(() =>
      startImport({
        dryRun,
        ...(product === 'keycloak' && { as: target, oldUrl }),
        ...(product === 'auth0' && { name }),
        ...(product === 'signet' && { passphrase }),
      }),
    )
  return (
    <Section title={t.start} description={t.startHint}>
      {product === 'keycloak' && (
        <>
          <Select
            label={t.becomes}
            data={[
              { value: 'organization', label: t.organization },
              { value: 'instance', label: t.instance },
            ]}
            value={target}
            allowDeselect={false}
            onChange={(value) => setTarget(value ?? 'organization')}
          />
          <TextInput
            label={t.oldUrl}
            description={t.oldUrlHint}
            value={oldUrl}
            onChange={(event) => setOldUrl(event.currentTarget.value)}
          />
        </>
      )}
      {product === 'auth0' && (
        <TextInput
          label={t.organizationName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          placeholder="Auth0"
        />
      )}
      {product === 'signet' && (
        <PasswordInput
          label={t.passphrase}
          description={t.passphraseHint}
          autoComplete="off"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
      )}
      {call.problem !== '' && <Alert color="red">{call.problem}</Alert>}
      {!wasTried && <Text size="sm">{t.tryFirst}</Text>}
      {mustRead && <Text size="sm">{t.readFirst}</Text>}
      <Group>
        <Button variant={wasTried ? 'default' : 'filled'} disabled={call.isRunning} onClick={() => void start(true)}>
          {t.dryRun}
        </Button>
        <Button
          variant={wasTried ? 'filled' : 'default'}
          disabled={call.isRunning || mustRead}
          onClick={() => void start(false)}
        >
          {t.startButton}
        </Button>
      </Group>
    </Section>
  )
}
