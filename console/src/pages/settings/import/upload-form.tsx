/** Chooses a product and its files, and uploads them. */
import { Alert, Button, FileInput, Group, Progress, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../../parts/section.tsx'
import { useLanguage, useTexts } from '../../../texts/index.tsx'
import { clearImport, type ImportState, type Product, uploadFile } from './import-api.ts'
import { moveTexts } from './texts/index.ts'
import { useImportCall } from './use-import-call.ts'

/** The files of each product; the first one is needed. */
const PARTS: Readonly<Record<Product, readonly string[]>> = {
  signet: ['export'],
  keycloak: ['realm'],
  auth0: ['users', 'clients', 'connections', 'hashes', 'factors'],
}

interface UploadFormProps {
  readonly state: ImportState
  onChanged(): Promise<unknown>
  onUploading(isUploading: boolean): void
}

/** The form, and what was uploaded so far. */
export function UploadForm({ state, onChanged, onUploading }: UploadFormProps) {
  const t = useTexts(moveTexts)
  const { language } = useLanguage()
  const [product, setProduct] = useState<Product>(state.product ?? 'keycloak')
  const [files, setFiles] = useState<Readonly<Record<string, File | null>>>({})
  const [share, setShare] = useState<number>()
  const call = useImportCall(onChanged)
  const chosen = PARTS[product].flatMap((part) => {
    const file = files[part]
    return file ? [{ product, part, file }] : []
  })
  const [needed = ''] = PARTS[product]
  const upload = async () => {
    const total = chosen.reduce((sum, { file }) => sum + file.size, 0)
    let before = 0
    for (const one of chosen) {
      await uploadFile(one, state.partBytes, (bytes) => setShare((before + bytes) / Math.max(total, 1)))
      before += one.file.size
    }
    setFiles({})
  }
  return (
    <Section title={t.upload} description={t.uploadHint}>
      <Select
        label={t.product}
        data={Object.keys(PARTS).map((value) => ({ value, label: t.products[value as Product] }))}
        value={product}
        allowDeselect={false}
        onChange={(value) => {
          setProduct((value ?? 'keycloak') as Product)
          setFiles({})
        }}
        disabled={call.isRunning}
      />
      {PARTS[product].map((part) => (
        <FileInput
          key={`${product} ${part}`}
          label={t.files[part as keyof typeof t.files]}
          placeholder={t.choose}
          value={files[part] ?? null}
          onChange={(file) => setFiles((current) => ({ ...current, [part]: file }))}
          disabled={call.isRunning}
          clearable
          clearButtonProps={{ 'aria-label': t.clearFile }}
        />
      ))}
      {call.isRunning && share !== undefined && (
        <Progress.Root size="lg">
          <Progress.Section value={share * 100} aria-label={t.uploading} animated />
        </Progress.Root>
      )}
      {call.problem !== '' && <Alert color="red">{call.problem}</Alert>}
      <Group>
        <Button
          disabled={!chosen.some(({ part }) => part === needed) || call.isRunning}
          onClick={() => {
            onUploading(true)
            void call.run(upload).finally(() => onUploading(false))
          }}
        >
          {t.uploadButton}
        </Button>
        {(state.files.length > 0 || state.run !== undefined) && (
          <Button variant="default" disabled={call.isRunning} onClick={() => void call.run(clearImport)}>
            {t.discard}
          </Button>
        )}
      </Group>
      {state.files.length > 0 && (
        <Stack gap={4} role="status">
          {state.files.map(({ part, name, bytes }) => (
            <Text key={part} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t.uploaded({ name: name || part, size: Math.ceil(bytes / 1024).toLocaleString(language) })}
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  )
}
